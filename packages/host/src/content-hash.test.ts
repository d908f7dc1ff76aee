import { expect, it } from "vitest";
import { contentHash } from "./content-hash.ts";

// The hashes come from Python: `json.dumps(value, sort_keys=True)`, SHA-256, `urlsafe_b64encode`.
it.each([
  ["{}", "RBNvo1WzZ4oRRq0W9XhknpT7T8If536DEMBg9hyqY4o"],
  ['{"a":1,"nested":{"k":"v"}}', "cnV7vcYRFbC9UsVcvTEV9KQSrXzO8XHxFC7PZykR1b0"],
  ['"a"', "rI2DQruyNi0T8KVZo2IbtAcBE2iJUWS2KKVPf8MYxDw"],
  ["[1.50, 100.0, 1e5, 1e22, 5e-324, 1.7976931348623157e308]", "bXB4T6DsX3rDCsX2CgtAyNUYnYDSP6ZiyWYIBdx2XzY"],
  [
    String.raw`{"b": "Bodø 🚂 \u007f\n\"", "a": [1, 1.0, -0.0, 1e100, 1E-7, 0.0001, 123456789012345678901234567890, 1e16, 12345.678, true, null], "🚂": {}, "\ufffd": {}, "": [], "B": 0}`,
    "HKBE9YoEPunRGtm0jHzHOwChbCiiYCXr6twSiQThSp8",
  ],
])("the content hash of %s", (json, hash) => {
  expect(contentHash(json)).toBe(hash);
});
