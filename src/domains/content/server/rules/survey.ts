import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { SampleRow } from '../../contract/rules/runCalls.ts';
import { own } from '../database.ts';
import { typeOf } from '../marks/objects.ts';
import { type JudgedRule, judge, planAll } from './judge.ts';

/** Objects that are looked at, and changed, at a time. */
export const CHUNK = 1_000;
/** Objects of a run that are explained: of both kinds of change as many. */
const SAMPLE = 100;

export interface Survey {
  evaluated: number;
  toAdd: number;
  toRemove: number;
  sample: SampleRow[];
  /** Whether the conditions hold, of each object that changes. */
  changes: ReadonlyMap<string, { held: boolean }>;
}

interface Walk {
  db: Db;
  kernel: Pick<Kernel, 'registry'>;
  now: Instant;
  signal: AbortSignal;
  /** Told after each part. */
  progress(evaluated: number): Promise<unknown>;
}

/** What a rule would change of everything of its kind. Writes nothing: a dry run is this, and a run begins with it. */
export async function survey(rule: JudgedRule, { db, kernel, now, signal, progress }: Walk): Promise<Survey> {
  const type = typeOf(kernel, rule.objectType);
  if (!type.rules) throw new Error(`no rules are made of ${rule.objectType}`);
  const group = await own(db).selectFrom('contentTagGroup').select('maxPerObject').where('id', '=', rule.groupId).executeTakeFirstOrThrow();
  const changes = new Map<string, { held: boolean }>();
  const samples: Record<SampleRow['change'], SampleRow[]> = { ADD: [], REMOVE: [] };
  const counts: Record<SampleRow['change'], number> = { ADD: 0, REMOVE: 0 };
  let evaluated = 0;
  for (let last = '0'; ;) {
    if (signal.aborted) throw new Error('the process stops');
    const ids = await type.after(db, last, CHUNK, now);
    const judged = await judge(db, type.rules, rule, ids, now);
    for (const { objectId, change } of await planAll(db, rule, group, judged, now)) {
      const { held, explain } = judged.get(objectId)!;
      changes.set(objectId, { held });
      counts[change] += 1;
      if (samples[change].length < SAMPLE) samples[change].push({ objectId, change, explain });
    }
    evaluated += ids.length;
    await progress(evaluated);
    const end = ids.at(-1);
    if (end === undefined || ids.length < CHUNK) break;
    last = end;
  }
  const removals = samples.REMOVE.slice(0, Math.max(SAMPLE / 2, SAMPLE - samples.ADD.length));
  const sample = [...samples.ADD.slice(0, SAMPLE - removals.length), ...removals];
  return { evaluated, toAdd: counts.ADD, toRemove: counts.REMOVE, sample, changes };
}
