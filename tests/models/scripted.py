"""A server that speaks the chat-completions protocol, with players and faults from a script."""

import json
import random
import re
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from app.game import world
from app.game.bots import make_bot, tiers
from app.game.names import shuffled
from tests.agents.driving import named

EXPLANATION = json.dumps({"inputs": "both", "output": "the item", "how": "one each"})
SCORES = json.dumps({"score": 2, "inputs": 1, "output": 2, "structure": 0, "generality": 1})
HYPOTHESIS = "Hypothesis: each trait decides one thing\nPlan: buy and defeat"
SPOKEN = {  # sign of a question that is not about an action -> the answer
    '"score"': SCORES,
    '"generality"': SCORES,
    '"how"': EXPLANATION,
    '"new"': '{"new": ["look at both traits"], "helpful": [], "harmful": []}',
    '"remove"': '{"remove": []}',
    "Do not act yet": HYPOTHESIS,
    "The attempt failed": HYPOTHESIS,
    "Go through the accounts": "KEEP",
}
IDLE = "check_location"  # when a bot has given up
GOAL = re.compile(r"^(?:Defeat|=== Your task: defeat) (.+?) (?:at |===$)", re.MULTILINE)


class Fault:
    """An HTTP answer that is not a completion; `hang_s` before it."""

    def __init__(self, status=200, body="{}", headers=(), hang_s=0.0, drop=False):
        self.status, self.body, self.headers = status, body, dict(headers)
        self.hang_s, self.drop = hang_s, drop


def completion(text, finish="stop", **message):
    """Return the body of a completion."""
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


RATE = Fault(429, '{"error": {"message": "slow down"}}', {"Retry-After": "0.05"})
BROKEN = Fault(500, '{"error": {"message": "broken"}}', {"Retry-After": "0"})
# Nothing else takes as long as the slow answer's time-out, however busy the machine is.
SLOW, TIMEOUT_S = Fault(hang_s=3.0), 2.0
HTML = Fault(200, "<html><body>Bad gateway</body></html>", {"Content-Type": "text/html"})
NO_CHOICES = Fault(200, json.dumps({**completion(""), "choices": []}))
CUT = Fault(200, json.dumps(completion('{"action": "go", "argu', "length")))
CUT_EMPTY = Fault(200, json.dumps(completion("", "length")))
THOUGHT = Fault(200, json.dumps(completion(None, reasoning_content="I wonder ...")))
NOTHING = Fault(200, json.dumps(completion("")))
NOT_JSON = Fault(200, json.dumps(completion("I would go to the market.")))
TOO_LONG = Fault(400, '{"error": {"message": "maximum context length is 4096 tokens"}}')
NO_KEY = Fault(401, '{"error": {"message": "invalid api key"}}')
DROP = Fault(drop=True)
ODD = Fault(200, json.dumps(completion('{"action": "go", "argument": "\x00\ud800"}')))


class Scripted:
    """What the server answers: `faults` first, one for each request, then `answer(prompt)`.

    `requests`: every body that arrived, and its headers.
    """

    def __init__(self, answer, faults=(), delay_s=0.0):
        self.answer, self.faults, self.delay_s = answer, list(faults), delay_s
        self.requests, self.lock = [], threading.Lock()
        self.at_once = self.most_at_once = 0

    @property
    def prompts(self):
        return [body["messages"][0]["content"] for body, _ in self.requests]

    def reply(self, body, headers):
        with self.lock:
            self.requests.append((body, headers))
            fault = self.faults.pop(0) if self.faults else None
        if fault is not None:
            return fault
        return Fault(200, json.dumps(completion(self.answer(body["messages"][0]["content"]))))

    @contextmanager
    def serving(self):
        """Serve on a free port; yields the address."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def handler_of(script):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            length = int(self.headers["Content-Length"])
            body = json.loads(self.rfile.read(length))
            with script.lock:
                script.at_once += 1
                script.most_at_once = max(script.most_at_once, script.at_once)
            try:
                headers = {name.lower(): value for name, value in self.headers.items()}
                self.send(script.reply(body, headers))
            finally:
                with script.lock:
                    script.at_once -= 1

        def send(self, fault):
            time.sleep(fault.hang_s + script.delay_s)
            if fault.drop:
                self.close_connection = True
                return
            data = fault.body.encode("utf-8", "surrogatepass")
            headers = {"Content-Type": "application/json", **fault.headers}
            try:
                self.send_response(fault.status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                self.close_connection = True  # the other side was killed or did not wait

        def log_message(self, *_):
            pass

    return Handler


class Players:
    """Answers for all episodes of some variants, from what a question says and nothing else.

    `bot`: one of the game's bots; it is rebuilt from the question's log with a seed of its own for
    each guardian, so it plays on where the log ends.
    """

    def __init__(self, variants, bot="oracle", seed=0):
        self.bot, self.seed = bot, seed
        self.episodes = {
            (one.content_mark, episode.entity): (one.variant, index)
            for one in map(Marked, variants)
            for index, episode in enumerate(one.variant.episodes)
        }

    def __call__(self, prompt):
        for sign, answer in SPOKEN.items():
            if sign in prompt:
                return answer
        variant, index = self.find(prompt)
        if "say once" in prompt:
            return self.stated(variant, index)
        return named(self.next_line(variant, index, prompt))

    def find(self, prompt):
        name = GOAL.search(prompt)[1]
        for (mark, entity), found in self.episodes.items():
            if entity == name and mark in prompt:
                return found
        raise AssertionError(name)

    def stated(self, variant, index):
        """State what the bot would try first."""
        rng = random.Random(f"{self.seed}/{variant.seed}/{variant.episodes[index].entity}")
        outputs = [one for group in tiers(self.bot, variant, index) for one in shuffled(group, rng)]
        process = dict(variant.outputs)[outputs[0]]
        activity = process.activity.verb if process.activity else ""
        facts = {"item": process.item, "activity": activity, "placed": process.order}
        return json.dumps({**facts, "times": process.count})

    def next_line(self, variant, index, prompt):
        log = prompt[prompt.index("WHAT HAS HAPPENED\n") :]
        lines = re.findall(r"^> (.+)$", log, re.MULTILINE)
        rng = random.Random(f"{self.seed}/{variant.seed}/{variant.episodes[index].entity}")
        bot = make_bot(self.bot, variant, index, rng)
        here = world.episode_world(variant, index)
        state, seen = world.start(here), None
        for line in lines:
            own = bot.next_command(seen, state) or IDLE
            assert line in {own, "go \ufffd\ufffd"}  # the second one is ODD's
            _, state, seen = world.play(here, state, line)
        return bot.next_command(seen, state) or IDLE


class Marked:
    """A variant and a line that occurs in its questions only: the first account."""

    def __init__(self, variant):
        self.variant = variant
        self.content_mark = variant.demonstrations[0].entity if variant.demonstrations else ""
