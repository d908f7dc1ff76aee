import { answer } from "./src/bot.ts";
import { cost } from "./src/cost.ts";

const question = "Does the 9:40 to Bergen carry bicycles?";
const messages = await answer(question, () => undefined);
console.log(messages.length, "messages,", await cost(question), "tokens");
