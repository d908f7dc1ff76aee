import { asker } from "../new/ask.ts";
import { makeNew } from "../new/command.ts";

export async function run(root: string, args: string[]): Promise<number> {
  const { files, told } = await makeNew(root, args, asker(process.stdin, process.stdout));
  console.log(`Wrote\n${files.map((file) => `  ${file}`).join("\n")}\n`);
  if (told.length > 0) console.log(`${told.join("\n")}\n`);
  console.log("Say in each description what holds, then run: npx -y pnpm@12 contract change && npx -y pnpm@12 test");
  return 0;
}
