import { createAuxiliaryClient } from "@trainyard/auxiliary";

const auxiliary = createAuxiliaryClient();

const { obj } = await auxiliary.objects.read({
  project_id: "harbor/support-desk",
  object_id: "agent-1-instructions",
  digest: "latest",
  include_tags_and_aliases: true,
});
console.log(
  `version ${obj.version_index}`,
  obj.aliases,
  obj.val,
);
