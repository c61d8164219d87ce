import { isAway, PoolFull } from '../database/away.ts';
import type { Kernel } from '../kernel.ts';
import type { Figure, FigureValue, Reading, Status, StatusPart, StatusSource } from './figure.ts';

/** Whoever asks within this time gets the same figures: many scrapes and pages cost no more than one. */
const KEPT_MS = 5_000;
/** Nobody waits longer; a database that answers later counts as away. */
const PATIENCE_MS = 2_000;
/** A question without an answer for so long was sent down a line that is cut. */
const HANGS_MS = 30_000;

const databaseUp: Figure = {
  metric: 'kangqiao_database_up',
  help: '1 while the database answers this process within two seconds',
  label: '数据库可用',
  unit: 'YES_NO',
  limit: { side: 'below', red: 1, minutes: 1 },
};

type Values = ReadonlyMap<StatusSource, readonly FigureValue[]>;

/**
 * @param own sources of the kernel; those of the domains follow
 */
export function makeStatus(kernelOf: () => Kernel, own: readonly StatusSource[]): Status {
  const sources = () => [...own, ...kernelOf().registry.modules.flatMap(({ status }) => status ?? [])];
  let asking: { values: Promise<Values>; since: number } | null = null;
  let kept: { reading: Promise<Reading>; until: number } | null = null;

  async function valuesOf(source: StatusSource): Promise<readonly FigureValue[]> {
    const kernel = kernelOf();
    try {
      return await source.read({ db: kernel.db, now: kernel.clock.now() });
    } catch (error) {
      if (isAway(error) || error instanceof PoolFull) throw error;
      kernel.log.error({ error, source: source.title }, 'figures of the status could not be read');
      return [];
    }
  }

  async function ask(): Promise<Values> {
    const values = new Map<StatusSource, readonly FigureValue[]>();
    for (const source of sources()) if (source.needsDatabase) values.set(source, await valuesOf(source));
    return values;
  }

  /** Null where the database does not answer in time; a question that still hangs is not asked beside itself at once. */
  async function askInTime(): Promise<Values | null> {
    if (!asking || performance.now() - asking.since > HANGS_MS) {
      const mine = { values: ask().finally(() => (asking = asking === mine ? null : asking)), since: performance.now() };
      asking = mine;
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS, null)));
    try {
      return await Promise.race([asking.values.catch(() => null), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function readNow(): Promise<Reading> {
    const asked = await askInTime();
    const parts: StatusPart[] = [];
    for (const source of sources()) {
      const { title, link, figures } = source;
      const values = source.needsDatabase ? (asked?.get(source) ?? []) : await valuesOf(source);
      parts.push({ title, ...(link && { link }), figures, values });
    }
    const up = { metric: databaseUp.metric, value: asked ? 1 : 0 };
    const [first, ...rest] = parts;
    const withDatabase = first ? [{ ...first, figures: [databaseUp, ...first.figures], values: [up, ...first.values] }, ...rest] : [];
    return { at: kernelOf().clock.now(), databaseUp: asked !== null, parts: withDatabase };
  }

  return {
    figures: () => [databaseUp, ...sources().flatMap(({ figures }) => figures)],
    read() {
      if (kept && performance.now() < kept.until) return kept.reading;
      const reading = readNow();
      const mine = { reading, until: performance.now() + KEPT_MS };
      kept = mine;
      // A database that was away may be back: whoever comes next asks again.
      void reading.then(({ databaseUp: isUp }) => {
        if (!isUp && kept === mine) kept = null;
      });
      return reading;
    },
  };
}
