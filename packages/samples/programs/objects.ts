import { createAuxiliaryClient, NotFoundError } from "@trainyard/auxiliary";

const auxiliary = createAuxiliaryClient();
const object = {
  project_id: "harbor/support-desk",
  object_id: "agent-1-instructions",
};

// A digest is "latest", a version ("v0"), a content hash, or an alias, tried in this order.
const { obj } = await auxiliary.objects.read({ ...object, digest: "latest" });
console.log(`version ${obj.version_index} of ${obj.created_at}:`, obj.val);

// Without the value, but with tags and aliases.
const { obj: facts } = await auxiliary.objects.read({
  ...object,
  digest: "v0",
  metadata_only: true,
  include_tags_and_aliases: true,
});
console.log(
  facts.digest,
  facts.is_latest === 1 ? "is the newest" : "is an older one",
  facts.aliases,
);

// A deleted object is a 404, like one that never existed; the body differs.
try {
  await auxiliary.objects.read({ ...object, digest: "v99" });
} catch (error) {
  if (!(error instanceof NotFoundError)) throw error;
  console.log(error.message);
}
