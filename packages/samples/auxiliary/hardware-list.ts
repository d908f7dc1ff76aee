import { createAuxiliaryClient } from "@trainyard/auxiliary";

// The token is TRAINYARD_ACCESS_TOKEN;
// without it, the API key is sent.
const auxiliary = createAuxiliaryClient();

const { hardware } = await auxiliary.hardware.list({
  model: "tiny",
});
for (const option of hardware) {
  console.log(
    option.name,
    option.pricing.cents_per_million_output_tokens,
    "cents per million tokens out",
  );
}
