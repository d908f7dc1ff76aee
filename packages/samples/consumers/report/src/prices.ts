import { createAuxiliaryClient, type HardwarePricing } from "@trainyard/auxiliary";

function total(pricing: HardwarePricing): number {
  return (
    pricing.cents_per_million_input_tokens + pricing.cents_per_million_output_tokens
  );
}

/** The cheapest hardware for a model. */
export async function cheapest(model: string): Promise<string | undefined> {
  const { hardware } = await createAuxiliaryClient().hardware.list({ model });
  return hardware.toSorted((a, b) => total(a.pricing) - total(b.pricing))[0]?.name;
}
