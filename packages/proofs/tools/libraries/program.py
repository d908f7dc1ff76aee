"""Python's `openai` against the addresses in TARGETS. Prints what became of each call as a line of JSON."""

import json
import os

import openai
from pydantic import BaseModel

MESSAGES = [
    {"role": "system", "content": "You help the travelers of a railway. Answer in one sentence."},
    {"role": "user", "content": "When does the next train leave Voss?"},
]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "next_departures",
            "description": "Lists the next departures of a station.",
            "parameters": {
                "type": "object",
                "properties": {"station": {"type": "string"}, "limit": {"type": "integer"}},
                "required": ["station"],
            },
        },
    }
]


class Bicycles(BaseModel):
    allowed: bool
    most: int


def failure(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"Expected {kind.__name__}.")


def complete(client, model, service):
    answer = client.chat.completions.create(model=model, messages=MESSAGES, seed=1)
    assert answer.choices[0].message.content and answer.usage.total_tokens > 0


def raw_response(client, model, service):
    raw = client.chat.completions.with_raw_response.create(model=model, messages=MESSAGES)
    assert raw.headers["x-request-id"].startswith("req_") and raw.parse().choices


def stream(client, model, service):
    chunks = client.chat.completions.create(model=model, messages=MESSAGES, stream=True, stream_options={"include_usage": True})
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def stream_helper(client, model, service):
    with client.chat.completions.stream(model=model, messages=MESSAGES) as events:
        assert events.get_final_completion().choices[0].message.content


def tools_and_result(client, model, service):
    message = client.chat.completions.create(model=model, messages=MESSAGES, tools=TOOLS).choices[0].message
    call = message.tool_calls[0]
    assert "station" in json.loads(call.function.arguments)
    result = {"role": "tool", "tool_call_id": call.id, "content": "9:31"}
    answer = client.chat.completions.create(model=model, messages=[*MESSAGES, message, result], tools=TOOLS)
    assert answer.choices[0].message.content


def tools_dumped_with_nulls(client, model, service):
    message = client.chat.completions.create(model=model, messages=MESSAGES, tools=TOOLS).choices[0].message
    result = {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "9:31"}
    answer = client.chat.completions.create(model=model, messages=[*MESSAGES, message.model_dump(), result], tools=TOOLS)
    assert answer.choices[0].message.content


def tool_by_name(client, model, service):
    choice = {"type": "function", "function": {"name": "next_departures"}}
    answer = client.chat.completions.create(model=model, messages=MESSAGES, tools=TOOLS, tool_choice=choice)
    assert answer.choices[0].message.tool_calls


def allowed_tools(client, model, service):
    tools = [{"type": "function", "function": {"name": "next_departures"}}]
    choice = {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": tools}}
    answer = client.chat.completions.create(model=model, messages=MESSAGES, tools=TOOLS, tool_choice=choice)
    assert answer.choices[0].message.tool_calls


def json_object(client, model, service):
    form = {"type": "json_object"}
    answer = client.chat.completions.create(model=model, messages=MESSAGES, response_format=form)
    assert isinstance(json.loads(answer.choices[0].message.content), dict)


def parse(client, model, service):
    answer = client.chat.completions.parse(model=model, messages=MESSAGES, response_format=Bicycles)
    assert isinstance(answer.choices[0].message.parsed, Bicycles)


def logprobs(client, model, service):
    answer = client.chat.completions.create(model=model, messages=MESSAGES, logprobs=True, top_logprobs=2)
    assert answer.choices[0].logprobs.content[0].top_logprobs


def n(client, model, service):
    assert len(client.chat.completions.create(model=model, messages=MESSAGES, n=2).choices) == 2


def models_list(client, model, service):
    if service == "inference":
        assert model in [entry.id for entry in client.models.list()]


def models_retrieve(client, model, service):
    if service == "inference":
        assert client.models.retrieve(model).id == model


def unknown_model(client, model, service):
    error = failure(openai.NotFoundError, lambda: client.chat.completions.create(model="demo/gigantic", messages=MESSAGES))
    assert "demo/gigantic" in error.message and error.request_id.startswith("req_")


def wrong_key(client, model, service):
    other = client.with_options(api_key="wrong")
    failure(openai.AuthenticationError, lambda: other.chat.completions.create(model=model, messages=MESSAGES))


def wrong_parameter(client, model, service):
    kind = openai.BadRequestError if service == "inference" else openai.UnprocessableEntityError
    error = failure(kind, lambda: client.chat.completions.create(model=model, messages=MESSAGES, temperature=9))
    assert service == "training" or error.param == "temperature"


CALLS = [
    complete,
    raw_response,
    stream,
    stream_helper,
    tools_and_result,
    tools_dumped_with_nulls,
    tool_by_name,
    allowed_tools,
    json_object,
    parse,
    logprobs,
    n,
    models_list,
    models_retrieve,
    unknown_model,
    wrong_key,
    wrong_parameter,
]

for target in json.loads(os.environ["TARGETS"]):
    client = openai.OpenAI(base_url=target["baseURL"], api_key=target["apiKey"], max_retries=0)
    for call in CALLS:
        try:
            call(client, target["model"], target["service"])
            fault = None
        except Exception as error:  # What went wrong is the result.
            fault = f"{type(error).__name__}: {error}"
        row = {"server": target["server"], "service": target["service"], "library": "openai for Python"}
        print(json.dumps({**row, "name": call.__name__, "fault": fault, "sent": []}))
