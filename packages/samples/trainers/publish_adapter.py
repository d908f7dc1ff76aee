# Lets vLLM find the adapter of a job under the name that chat requests.
import os


def publish_adapter(job, checkpoints, adapters):
    """Creates a link below `adapters` to the future folder of the checkpoint, for vLLM's `lora_filesystem_resolver`."""
    model, step = job["model"], f"step{job['output']['step']}"
    name = f"artifact:///{model['entity']}/{model['project']}/{model['name']}:{step}"
    link = os.path.normpath(os.path.join(adapters, name))
    os.makedirs(os.path.dirname(link), exist_ok=True)
    # An earlier attempt may have created it.
    if os.path.lexists(link):
        os.remove(link)
    os.symlink(os.path.join(checkpoints, model["id"], step), link)
