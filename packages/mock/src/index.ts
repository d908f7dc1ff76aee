/**
 * Mocks of the services: on a port, or in process as a test double. Their responses come only from the documents.
 *
 * @module
 */
export type { PlannedAnswer, PlannedError, PlannedToolCall } from "@trainyard/host";
export type { Controls, PendingPlan, RecordedRequest } from "./controls.ts";
export type { ServiceOptions } from "./example-service.ts";
export { startMock, type Documents, type Mock, type MockOptions } from "./mock.ts";
export { mockService, type Connection, type MockService } from "./mock-service.ts";
export type { Contract, OperationTypes, Plan, Untyped } from "./operation-types.ts";
export type { OperationName, ServiceName, Services } from "./services.ts";
