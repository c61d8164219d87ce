import { describe, expect, it } from 'vitest';
import { DatabaseAway, PoolFull } from '../database/away.ts';
import { refusalOf } from './answer.ts';

const failed = (code: string) => Object.assign(new Error('the database refused a statement'), { code, constraint: 'some_key' });

describe('what was thrown', () => {
  it.each([
    ['a lock that was waited for in vain', failed('55P03'), 'SCM90061'],
    ['a deadlock', failed('40P01'), 'SCM90061'],
    ['a serialisation failure', failed('40001'), 'SCM90061'],
    ['a pool whose connections are all lent out', new PoolFull('full'), 'SCM90061'],
    ['two rows of one key', failed('23505'), 'SCM90032'],
    ['a database that is away', new DatabaseAway('gone'), 'SCM90060'],
    ['anything else', failed('22P02'), 'SCM99999'],
  ])('%s is answered by its code', (_what, error, code) => {
    expect(refusalOf(error, 'trace')).toMatchObject({ code, data: null, traceId: 'trace' });
  });
});
