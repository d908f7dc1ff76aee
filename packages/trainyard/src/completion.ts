import { readArguments } from "@trainyard/terminal/arguments";
import { UsageError } from "@trainyard/terminal/command";
import { kindsOf, shapeOf, type Located } from "@trainyard/document";
import { allOperations, bodyMedia, contractIn, contracts, fieldsOf, ownFlags } from "@trainyard/live";
import { words } from "./words.ts";

export const help = `trainyard completion <bash|zsh>: prints a script that completes commands, their options, and the operations, fields and values of \`call\`

  --document <file>  the OpenAPI document of another service, in YAML or JSON; by default those of the three services
  --allow <place>    a folder or an address that its $refs may lead to; may be given several times

For every new shell, add \`source <(trainyard completion bash)\` to ~/.bashrc, or the same with zsh to ~/.zshrc.`;

/** Runs `trainyard completion`. */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: { document: { type: "string" }, allow: { type: "string", multiple: true, default: [] } },
  });
  const [shell, ...others] = positionals;
  if (others.length > 0 || (shell !== "bash" && shell !== "zsh"))
    throw new UsageError("Name a shell: `trainyard completion bash` or `trainyard completion zsh`.");
  const services = values.document === undefined ? contracts : [await contractIn(values.document, values.allow)];
  const all = allOperations(services, undefined).filter(({ operation }) => operation.aliasOf === undefined);
  // What may follow, by the operation and the word before. Services may have operations of the same name.
  const next = new Map<string, Set<string>>();
  const offer = (key: string, offered: readonly unknown[]): void => {
    // Others would have to be quoted, in two shells.
    const plain = offered.filter((one): one is string => typeof one === "string" && /^[\w./@+:=[\]-]+$/.test(one));
    if (plain.length > 0) next.set(key, new Set([...(next.get(key) ?? []), ...plain]));
  };
  offer("", [...all.map(({ operation }) => operation.name), ...ownFlags]);
  for (const found of all) {
    const { document, operation } = found;
    const add = (flag: string, schemas: readonly Located[]): void => {
      const { values: listed, types } = kindsOf(document.root, ...schemas);
      offer(operation.name, [flag]);
      offer(`${operation.name} ${flag}`, [...listed, ...(types.includes("boolean") ? ["true", "false"] : [])]);
    };
    for (const { flag, schemas } of fieldsOf(found)) {
      add(flag, schemas);
      for (const { properties, items } of schemas.map((schema) => shapeOf(document.root, schema))) {
        for (const [name, inner] of properties) add(`${flag}.${name}`, inner.schemas);
        for (const [name, inner] of items?.properties ?? []) add(`${flag}.0.${name}`, inner.schemas);
      }
    }
    offer(operation.name, ownFlags);
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
  case "$before" in --help | --dry-run | --include | --verbose) before= ;; --*) before=" $before" ;; *) before= ;; esac
  if [ "$COMP_CWORD" -eq 1 ]; then offered='${Object.keys(words).join(" ")}'
  elif [ "\${COMP_WORDS[1]}" = call ]; then case "$operation$before" in
${cases.join("\n")}
    *' --service') offered='${services}' ;;
  esac
  elif [[ "$word" == -* ]]; then
    offered="$("\${COMP_WORDS[0]}" "\${COMP_WORDS[1]}" --help 2> /dev/null | sed 's/\\[no-]//' | grep -oE -e '--[a-z][a-z-]+' | sort -u)"
  fi
  COMPREPLY=($(compgen -W "$offered" -- "$word"))
}
complete -o default -F _trainyard trainyard`;
}
