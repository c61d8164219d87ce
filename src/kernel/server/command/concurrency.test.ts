import { describe, expect, it } from 'vitest';
import { KeyedTurns, NoTurn, Turns } from './concurrency.ts';

describe('turns', () => {
  it('are given in the order in which they were asked for, so many at once', async () => {
    const turns = new Turns(2);
    const came: string[] = [];
    const ask = (name: string) =>
      turns.take(null).then((done) => {
        came.push(name);
        return done;
      });
    const asked = [ask('a'), ask('b'), ask('c'), ask('d')];
    const [endA, endB] = await Promise.all(asked.slice(0, 2));
    expect(came).toEqual(['a', 'b']);
    endB!();
    (await asked[2]!)();
    (await asked[3]!)();
    expect(came).toEqual(['a', 'b', 'c', 'd']);
    expect(turns.isIdle).toBe(false);
    endA!();
    expect(turns.isIdle).toBe(true);
  });

  it('are refused to whom too many wait before, and to whom waits too long, who is forgotten', async () => {
    const turns = new Turns(1, 1);
    const end = await turns.take(null);
    const late = turns.take(1);
    await expect(turns.take(null)).rejects.toBeInstanceOf(NoTurn);
    await expect(late).rejects.toBeInstanceOf(NoTurn);
    end();
    expect(turns.isIdle).toBe(true);
  });

  it('of one key hold up no other', async () => {
    const keyed = new KeyedTurns(() => new Turns(1));
    const end = await keyed.take('a', 1);
    (await keyed.take('b', 1))();
    await expect(keyed.take('a', 1)).rejects.toBeInstanceOf(NoTurn);
    end();
    (await keyed.take('a', 1))();
  });
});
