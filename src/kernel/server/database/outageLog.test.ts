import { expect, it } from 'vitest';
import { DatabaseAway } from './away.ts';
import { outageLog } from './outageLog.ts';

function world() {
  const lines: string[] = [];
  const note = (facts: object, message: string) => void lines.push(`${message} ${JSON.stringify({ ...facts, error: undefined })}`);
  let now = 0;
  const log = outageLog({ info: note, warn: note, error: note }, () => now);
  return { lines, log, pass: (ms: number) => void (now += ms) };
}
const away = () => new Error('a job failed', { cause: new DatabaseAway('connect ECONNREFUSED') });

it('writes one line when the database goes and one when it is back, whatever is reported between', () => {
  const { lines, log, pass } = world();
  for (let n = 0; n < 2_400; n += 1) {
    log.warn({ error: new DatabaseAway('gone') }, 'a call failed');
    log.error({ error: away() }, 'a job failed');
    pass(10);
  }
  log.reached();
  // A connection that was lost before says so late.
  log.warn({ error: away() }, 'late');
  expect(lines).toEqual([
    'The database is not reached; what fails by it is not logged until it is back {"first":"a call failed"}',
    'The database is reached again {"seconds":24,"notLogged":4799}',
  ]);
});

it('holds back nothing else, and reports the next outage', () => {
  const { lines, log, pass } = world();
  log.error({ error: away() }, 'first');
  log.error({ error: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }) }, 'a provider is away');
  log.warn({ channel: 'x' }, 'not heard');
  log.reached();
  pass(60_000);
  log.error({ error: away() }, 'second');
  expect(lines.map((line) => line.split(' {')[0])).toEqual([
    'The database is not reached; what fails by it is not logged until it is back',
    'a provider is away',
    'not heard',
    'The database is reached again',
    'The database is not reached; what fails by it is not logged until it is back',
  ]);
});
