import { asker } from "../new/ask.ts";
import { makeNew } from "../new/command.ts";

export async function run(root: string, args: string[]): Promise<number> {
  const files = await makeNew(root, args, asker(process.stdin, process.stdout));
  console.log(`Wrote\n${files.map((file) => `  ${file}`).join("\n")}\n`);
  console.log("Say in each description what holds, then run: npx -y pnpm@12 generate && npx -y pnpm@12 test");
  return 0;
}
