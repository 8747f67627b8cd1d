"""Shows that the matrix can fail: each cell has a tool that `saboteur.py` makes faulty, and must fail with these words."""

import concurrent.futures

import faults
import saboteur
from peer import BEFORE_ENTER, CONVERTING, HOVERING, INCR, RELEASED, SAVING

SOURCE, PROBE = faults.SIDES[:2]

# Side, fault, stage, sabotage, and a failure; without one, the cell must pass.
CASES = (
    (SOURCE, "peer killed", RELEASED, saboteur.HONEST, None),
    (PROBE, "peer killed", INCR, saboteur.HONEST, None),
    (PROBE, "SIGTERM", HOVERING, saboteur.HONEST, None),
    (SOURCE, "peer killed", HOVERING, saboteur.HANG, "the drag has not ended within"),
    (PROBE, "peer killed", HOVERING, saboteur.HANG, "the drag has not ended within"),
    (SOURCE, "peer killed", RELEASED, saboteur.GRAB, "the pointer or the keyboard is still grabbed"),
    (SOURCE, "peer killed", BEFORE_ENTER, saboteur.LATE, "recovery has taken"),
    (SOURCE, "peer stopped 1 s", SAVING, saboteur.LOST, "was reported as saved and is not there"),
    (SOURCE, "peer stopped 1 s", SAVING, saboteur.SHORT, "the content is not whole"),
    (PROBE, "peer stopped 1 s", CONVERTING, saboteur.LOST, "was reported as saved and is not there"),
    (PROBE, "peer stopped 1 s", INCR, saboteur.SHORT, "the content is not whole"),
    (PROBE, "peer killed", INCR, saboteur.PARTIAL, ".partial is left in the destination"),
    (PROBE, "peer killed", CONVERTING, saboteur.DEAF, "the next honest drag: no "),
    (SOURCE, "peer killed", CONVERTING, saboteur.DEAF, "the next honest drag: "),
    (SOURCE, "server killed", RELEASED, saboteur.CODE, "exit code 3 instead of 74"),
    (SOURCE, "SIGTERM", HOVERING, saboteur.SIGNALS, "still running"),
)


def run_all(options):
    by_name = {fault.name: fault for fault in faults.FAULTS}
    tests = [(faults.Cell(side, by_name[name], stage, mode), words) for side, name, stage, mode, words in CASES]
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (cell, words), result in zip(tests, pool.map(lambda test: faults.run(test[0], options), tests)):
            has_passed = any(words in failure for failure in result.failures) if words else not result.failures
            wrong += not has_passed
            print(f"{'ok' if has_passed else 'WRONG'}  {cell.title}: {'; '.join(result.failures) or 'passes'}", flush=True)
            if not has_passed:
                print(result.output)
    print(f"{len(tests)} cells, {wrong} judged wrongly.")
    return 1 if wrong else 0
