// Keys, names and the lines in tmux.conf that bring them.
import { findBlock } from "../install/conf_edit.ts";
import { isOurBinding, isOurJob } from "../install/keys.ts";
import { ownConf } from "../install/own_conf.ts";
import { readPlainText } from "../system/plain_file.ts";
import { nameConf } from "../tmux/name_conf.ts";
import { type Check, fail, type Finding, hidden, info, INSTALL, ok, skip, warn } from "./check.ts";
import { goneProgram, withServer } from "./checks_saving.ts";
import { type Facts, places } from "./facts.ts";
import type { ServerState } from "./server_state.ts";

export const keyChecks: Check[] = [
  { id: "keys.conf", group: "keys", run: conf },
  { id: "keys.file", group: "keys", run: ownFile },
  { id: "keys.revive", group: "keys", run: withKeys(revive) },
  { id: "keys.reload", group: "keys", run: withKeys(reload) },
  { id: "keys.rename", group: "keys", run: withKeys(rename) },
  { id: "keys.titles", group: "keys", run: withKeys(titles) },
];

/** The check, skipped for those who installed the hooks alone. */
function withKeys(run: (facts: Facts, state: ServerState) => Finding): Check["run"] {
  return withServer((facts, state) => {
    const known = facts.receipt();
    return known && !known.keys
      ? skip("keys and names in tmux were left out of the install")
      : run(facts, state);
  });
}

async function conf({ system, conf, receipt }: Facts): Promise<Finding> {
  const { path, text } = await conf();
  const found = findBlock(text ?? "");
  if ("reason" in found) {
    return fail(`${hidden(path)} cannot be edited: ${found.reason}`, {
      fix: "Take the marks out, then: tmuxclaude install",
    });
  }
  if (found.block) return ok(`${hidden(path)} loads our configuration`, { path });
  const { ownConf } = places(system);
  if (text?.includes(ownConf) || /source(-file)?\s.*tmuxclaude\/tmux\.conf/.test(text ?? "")) {
    return ok(`${hidden(path)} loads our configuration, by a line of yours`, { path });
  }
  if (!receipt()?.keys) return info("keys and names in tmux are not installed", INSTALL);
  return warn(`${hidden(path)} does not load our configuration: the next tmux server has no keys`, {
    ...INSTALL,
    data: { path },
  });
}

function ownFile({ system, receipt }: Facts): Finding {
  const { ownConf: path } = places(system);
  const known = receipt();
  if (!known?.keys) return info("keys and names in tmux are not installed", INSTALL);
  if (!system.files.stat(path)) return fail(`${hidden(path)} is gone`, INSTALL);
  const wanted = ownConf({
    program: known.program,
    keys: known.keys,
    names: nameConf({ bin: known.program }),
  });
  if (readPlainText(system, path) === wanted) return ok(`${hidden(path)} is current`);
  return warn(`${hidden(path)} is of another version, or was edited`, INSTALL);
}

function revive({ system, receipt }: Facts, { bindings }: ServerState): Finding {
  const key = receipt()?.keys?.key ?? "r";
  // The candidates' menu has a key of its own, which nobody else takes.
  const ours = bindings.filter(({ command }) => isOurBinding(command) && !/ --menu\b/.test(command));
  if (ours.length === 0) {
    const now = bindings.find((binding) => binding.key === key)?.command;
    return fail(
      `prefix + ${key} does not revive in the running server${
        now ? `: it is bound to ${hidden(now.slice(0, 60))}` : ""
      }`,
      INSTALL,
    );
  }
  const gone = goneProgram(system, ours[0].command);
  if (gone) return fail(`prefix + ${ours[0].key} calls a program that is gone: ${hidden(gone)}`, INSTALL);
  return ok(`prefix + ${ours[0].key} revives`, { keys: ours.map((binding) => binding.key) });
}

function reload({ receipt }: Facts, { bindings }: ServerState): Finding {
  const keys = receipt()?.keys;
  if (!keys?.moved_to) return ok("no key of yours was moved");
  if (bindings.some((binding) => binding.key === keys.moved_to)) {
    return ok(`prefix + ${keys.moved_to} reloads your configuration`);
  }
  return warn(`prefix + ${keys.moved_to} should reload your configuration, but does nothing`, INSTALL);
}

function rename({ system }: Facts, { options }: ServerState): Finding {
  const hook = options["after-rename-window[8417]"];
  if (!isOurJob(hook)) {
    return warn(
      "naming a window does not name its conversation: the hook is gone from the running server",
      INSTALL,
    );
  }
  const gone = goneProgram(system, hook);
  if (gone) return fail(`naming a window calls a program that is gone: ${hidden(gone)}`, INSTALL);
  return ok("naming a window names its conversation");
}

function titles(_facts: Facts, { options, allowsTitles }: ServerState): Finding {
  if (!allowsTitles) {
    return info("allow-set-title is off: windows cannot show Claude's titles");
  }
  if (options["automatic-rename-format"].includes("@tmuxclaude_")) {
    return ok("unnamed windows show Claude's title");
  }
  return warn(
    "unnamed windows do not show Claude's title: automatic-rename-format was set by something else",
    INSTALL,
  );
}
