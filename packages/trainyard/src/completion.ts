import { parseArgs } from "node:util";
import { kindsOf, shapeOf, type Located } from "@trainyard/document";
import { allOperations, bodyMedia, contractIn, contracts, fieldsOf, ownFlags } from "@trainyard/live";
import { words } from "./words.ts";

export const help = `trainyard completion <bash|zsh>: prints a script that completes commands, and the operations, fields and values of \`call\`

  --document <file>  the OpenAPI document of another service, in YAML or JSON; by default those of the three services
  --allow <place>    a folder or an address that its $refs may lead to; may be given several times

For every new shell, add \`source <(trainyard completion bash)\` to ~/.bashrc, or the same with zsh to ~/.zshrc.`;

/** Runs `trainyard completion`. */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { document: { type: "string" }, allow: { type: "string", multiple: true, default: [] } },
  });
  const [shell, ...others] = positionals;
  if (others.length > 0 || (shell !== "bash" && shell !== "zsh"))
    throw new Error("Name a shell: `trainyard completion bash` or `trainyard completion zsh`.");
  const services = values.document === undefined ? contracts : [await contractIn(values.document, values.allow)];
  const all = allOperations(services, undefined).filter(({ operation }) => operation.aliasOf === undefined);
  // What may follow, by the operation and the word before. Services may have operations of the same name.
  const next = new Map<string, Set<string>>();
  const offer = (key: string, offered: readonly unknown[]): void => {
    // Others would have to be quoted, in two shells.
    const plain = offered.filter((one): one is string => typeof one === "string" && /^[\w./@+:=[\]-]+$/.test(one));
    if (plain.length > 0) next.set(key, new Set([...(next.get(key) ?? []), ...plain]));
  };
  const own = ownFlags.map((flag) => flag.replace(/^(?!-)/, "--"));
  offer("", [...all.map(({ operation }) => operation.name), ...own]);
  for (const found of all) {
    const { document, operation } = found;
    const add = (flag: string, schema: Located): void => {
      const { values: listed, types } = kindsOf(document.root, schema);
      offer(operation.name, [flag]);
      offer(`${operation.name} ${flag}`, [...listed, ...(types.includes("boolean") ? ["true", "false"] : [])]);
    };
    for (const { flag, schema } of fieldsOf(found)) {
      add(flag, schema);
      for (const [name, { schema: inner }] of shapeOf(document.root, schema).properties) add(`${flag}.${name}`, inner);
    }
    offer(operation.name, own);
    offer(`${operation.name} --example`, [...(bodyMedia(operation)?.examples.keys() ?? [])]);
  }
  console.log(scripts[shell] + script(next, services.map(({ name }) => name).join(" ")));
}

const scripts = {
  bash: "",
  // zsh runs completions of bash.
  zsh: "autoload -Uz compinit bashcompinit\n(( $+functions[compdef] )) || compinit -i\nbashcompinit\n",
};

function script(next: ReadonlyMap<string, ReadonlySet<string>>, services: string): string {
  const cases = [...next].map(([key, offered]) => `    '${key}') offered='${[...offered].join(" ")}' ;;`);
  return `_trainyard() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" operation= offered= each
  for each in "\${COMP_WORDS[@]}"; do
    case "$each" in ${[...next.keys()].filter((key) => key !== "" && !key.includes(" ")).join(" | ")}) operation="$each" ;; esac
  done
  case "$before" in -i | --help | --dry-run) before= ;; --*) before=" $before" ;; *) before= ;; esac
  if [ "$COMP_CWORD" -eq 1 ]; then offered='${Object.keys(words).join(" ")}'
  elif [ "\${COMP_WORDS[1]}" = call ]; then case "$operation$before" in
${cases.join("\n")}
    *' --service') offered='${services}' ;;
  esac; fi
  COMPREPLY=($(compgen -W "$offered" -- "$word"))
}
complete -o default -F _trainyard trainyard`;
}
