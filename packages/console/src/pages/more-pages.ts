/** The pages whose code the first page does not wait for. */
export { ComparePage } from "./compare-page.tsx";
export { GroupPage } from "./group-page.tsx";
export { JobsPage } from "./jobs-page.tsx";
export { TaskPage } from "./task-page.tsx";
export { TasksPage } from "./tasks-page.tsx";
