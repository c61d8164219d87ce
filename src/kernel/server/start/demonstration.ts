import { sql } from 'kysely';
import type { Writing } from '../context.ts';
import { analyzeTables } from '../database/analyze.ts';
import type { DemoContext, Kernel } from '../kernel.ts';
import { STORAGE_MARK } from '../storage/storageMark.ts';
import { readMarks, writeOnce } from './once.ts';
import { ignoreStep, type OnStep } from './steps.ts';

const DONE = 'done';
/**
 * There while demonstration data is being written: a start that finds it comes after one that was interrupted. Its value says what lay in
 * the file storage before.
 */
const UNDER_WAY = 'demo.underWay';
const NOTHING = 'nothing stored';

/** The kernel and the handles as a demonstration sees them: everything reads and writes in the one transaction of its mark. */
function contextIn(kernel: Kernel, writing: Writing): DemoContext {
  const { tx } = writing;
  return {
    kernel: {
      ...kernel,
      db: tx,
      readDb: tx,
      transactions: { run: (_traceId, work) => work(writing), snapshot: (work) => work(tx) },
    },
    now: kernel.clock.now(),
    db: tx,
    transaction: (work) => work(writing),
  };
}

/** The storage's own mark is nobody's file: every start writes it before. */
async function nothingStored({ storage }: Kernel): Promise<boolean> {
  for await (const key of storage.keys()) if (key !== STORAGE_MARK) return false;
  return true;
}

/**
 * Notes that demonstration data is being written.
 * @returns whether an interrupted start may have left files that are nobody's: only where all files come from it, never in a bucket that
 * others may share.
 */
async function begin(kernel: Kernel, found: string | undefined): Promise<boolean> {
  if (found !== undefined) return found === NOTHING;
  const value = kernel.storage.kind === 'disk' && (await nothingStored(kernel)) ? NOTHING : 'files of others';
  await sql`
    insert into kernel_setting (name, value, at)
      values (${UNDER_WAY}, ${value}, ${kernel.clock.now()})
      on conflict (name) do nothing`.execute(kernel.db);
  return false;
}

/**
 * Writes the demonstration data of the domains that have not written theirs into this database yet; each domain's in one transaction
 * with its mark. Of processes that start together one writes and the others wait.
 * @returns the domains written now.
 */
export async function writeDemo(kernel: Kernel, onStep: OnStep = ignoreStep): Promise<string[]> {
  const { modules } = kernel.registry;
  const all = [
    ...modules.map(({ domain, demo }) => ({ domain, name: `demo.${domain}`, write: demo })),
    ...modules.map(({ domain, demoAfter }) => ({ domain, name: `demo.${domain}.after`, write: demoAfter })),
    ...modules.map(({ domain, demoLast }) => ({ domain, name: `demo.${domain}.last`, write: demoLast })),
  ].flatMap(({ write, ...one }) => (write ? [{ ...one, write }] : []));
  const marks = await readMarks(kernel.db, 'demo.');
  const end = () => sql`delete from kernel_setting where name = ${UNDER_WAY}`.execute(kernel.db);
  if (all.every(({ name }) => marks.has(name))) {
    if (marks.has(UNDER_WAY)) await end();
    return [];
  }
  let leftFiles = await begin(kernel, marks.get(UNDER_WAY));
  const written = new Set<string>();
  for (const [index, { domain, name, write }] of all.entries()) {
    if (marks.has(name)) continue;
    onStep({ phase: 'demonstration', name: domain, at: index + 1, of: all.length });
    const ran = await writeOnce(kernel, { name, value: DONE }, async (writing) => {
      // Rows of a part that was not finished are gone; the files that it stored are not. Nobody else writes here now.
      if (leftFiles) await kernel.ports.files.removeUnrecorded(writing.tx);
      leftFiles = false;
      await write(contextIn(kernel, writing));
      await analyzeTables(writing.tx, domain);
    });
    if (ran) written.add(domain);
  }
  await end();
  return [...written];
}
