import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import type { Config } from '#kernel/server/config/config.ts';
import { isAway, meaning } from '#kernel/server/database/away.ts';
import { StartFailure } from '#kernel/server/startFailure.ts';

export interface FailedStart {
  error: unknown;
  /** Absent: the configuration itself could not be read. */
  config: Config | null;
  /** What was being done, for a sentence. */
  doing: string;
  /** What the log was told before. */
  held?: readonly object[];
  at: string;
}

const inOneLine = (text: string) =>
  text
    .trim()
    .split('\n')[0]!
    .replace(/[.。]$/, '');

/** Keeps all that is known of the failure for whoever mends it. @returns the file; null where none can be written. */
function keep({ error, config, doing, held = [], at }: FailedStart): string | null {
  if (!config) return null;
  const file = path.join(config.dataDir, 'logs', 'start.log');
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, `${at} while ${doing}: ${[error, ...held].map((one) => inspect(one)).join('\n')}\n\n`);
    return file;
  } catch {
    return null;
  }
}

/** What somebody reads who ended a start before it was ready. */
export const describeStop = (doing: string): string =>
  `The start was stopped while ${doing}. What was finished is kept: start again, and it goes on from there.`;

/** What the system and PostgreSQL call it (ENOSPC, 53100). */
const DISK_FULL = /no space left on device|ENOSPC|disk quota exceeded/i;

/** What somebody at the console reads of a start that failed: the reason in a sentence, and what to do. */
export function describeFailure(failed: FailedStart): string {
  const { error, config, doing } = failed;
  const message = error instanceof Error ? error.message : String(error);
  if (DISK_FULL.test(message))
    return (
      `The disk is full (noticed while ${doing}${config ? `; the data lies in ${config.dataDir}` : ''}). ` +
      'Make room on it and start again: what was finished is kept.'
    );
  if (error instanceof StartFailure) return message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return `The port is taken by another program: ${message}. Set PORT to another one.`;
  const file = keep(failed);
  if (isAway(meaning(error)))
    return (
      `The database was lost while ${doing}: ${inOneLine(message)}.\n` +
      `What was finished is kept: see that the database runs, and start again; the details are in ${file ?? 'no log, for none can be written'}.`
    );
  const anew =
    config && config.mode !== 'production' && !config.databaseUrl
      ? ` or, to begin anew without what it holds, remove the folder ${config.dataDir};`
      : '';
  return (
    `The start failed while ${doing}: ${inOneLine(message)}.\n` +
    `What was finished is kept: start again;${anew} if it fails again, hand ${file ?? 'this sentence'} to whoever maintains the program.`
  );
}
