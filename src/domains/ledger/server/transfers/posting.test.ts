import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeChart } from '../chart.ts';
import { tryLedger } from '../ledger.ts';
import {
  accrue,
  bank as cashOf,
  doctor,
  MAKER,
  move,
  next,
  openBank,
  openCard,
  openDoctors,
  pay,
  principal,
  shop,
  type Bank,
} from '../testing/bank.ts';
import { testBooks } from '../testing/books.ts';

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.close());

const post = (command: Parameters<Bank['ledger']['post']>[1]) => bank.inTransaction((posting) => bank.ledger.post(posting, command));
const postedOf = async (ref: Parameters<Bank['ledger']['balance']>[1]) =>
  (await bank.ledger.balance(bank.database.db, ref, bank.now)).posted;
const rowsOf = async (table: string) =>
  Number((await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(bank.database.db)).rows[0]!.n);
const TABLES = ['ledger_transfer', 'ledger_entry', 'ledger_lot', 'ledger_lot_move', 'ledger_hold'];
const allRows = async () => Promise.all(TABLES.map(rowsOf));
const proven = () => bank.inTransaction((posting) => bank.ledger.prove(posting, 'DOCTOR', 'MANUAL'));

describe('a chart', () => {
  it('refuses a book twice, transfers between unknown types, floors with stripes and lots without a floor', () => {
    const [card] = testBooks;
    expect(() => makeChart([card!, card!])).toThrow('twice');
    const transferTypes = { X: { label: 'X', debit: ['NONE'], credit: [], reversible: false } };
    expect(() => makeChart([{ book: 'CARD', accountTypes: {}, transferTypes }])).toThrow('NONE');
    const wrong = (more: object) =>
      makeChart([
        {
          book: 'CARD',
          accountTypes: { A: { label: 'A', normalSide: 'C', ownerType: 'card', floorFen: 0n, stripes: 1, ...more } },
          transferTypes: {},
        },
      ]);
    expect(() => wrong({ stripes: 2 })).toThrow('floor');
    expect(() => wrong({ lotted: true, floorFen: null })).toThrow('lots');
    expect(() => wrong({ lotted: true, normalSide: 'D' })).toThrow('lots');
  });
});

describe('a posting', () => {
  it('that is wrong leaves no row in any table', async () => {
    const [one = '', other = ''] = await openDoctors(bank, 2);
    const card = await openCard(bank);
    const before = await allRows();
    const good = accrue(one, 100n);
    const cases: [string, Parameters<Bank['ledger']['post']>[1]][] = [
      ['SCM18005', { ...good, credit: [{ account: doctor(one), amount: 99n }] }],
      ['SCM18006', { ...good, debit: [{ account: cashOf(), amount: 0n }], credit: [{ account: doctor(one), amount: 0n }] }],
      [
        'SCM18006',
        {
          ...good,
          debit: [{ account: cashOf(), amount: 10_000_000_000_001n }],
          credit: [{ account: doctor(one), amount: 10_000_000_000_001n }],
        },
      ],
      ['SCM18007', { ...good, debit: [{ account: principal(card), amount: 100n }] }],
      ['SCM18008', { ...good, type: 'NONE' }],
      ['SCM18008', { ...good, type: 'PAY' }],
      ['SCM18008', { ...good, credit: [{ account: { ...doctor(one), owner: { type: 'drugstore', id: one } }, amount: 100n }] }],
      ['SCM18008', { ...good, credit: [{ account: doctor(one), amount: 100n, lot: { refType: 'x', refId: '1', expiresAt: null } }] }],
      ['SCM18004', { ...good, credit: [{ account: doctor('none'), amount: 100n }] }],
      ['SCM18030', { ...good, postingDate: '2025-01-31' }],
      ['SCM18001', move(one, other, 1n)],
    ];
    for (const [code, command] of cases) await expect(post(command)).rejects.toMatchObject({ code });
    expect(await allRows()).toEqual(before);
    await post(good);
    await expect(post(pay(one, 101n))).rejects.toMatchObject({ code: 'SCM18001', message: '账户可用余额不足：需要1.01元，可用1.00元' });
  });

  it('changes balances, numbers its entries, tells of itself, and a proof finds nothing', async () => {
    const [one = '', other = ''] = await openDoctors(bank, 2);
    const accrued = await post(accrue(one, 500n));
    expect(accrued).toMatchObject({
      replayed: false,
      entries: [
        { side: 'D', amount: 500n, balanceAfter: null },
        { side: 'C', balanceAfter: 500n },
      ],
    });
    const moved = await post(move(one, other, 200n));
    expect(moved.entries.map(({ balanceAfter }) => balanceAfter)).toEqual([300n, 200n]);
    expect([await postedOf(doctor(one)), await postedOf(doctor(other))]).toEqual([300n, 200n]);
    expect(bank.published.at(-1)).toMatchObject({
      name: 'ledger.transfer.posted',
      payload: { transferNo: moved.transferNo, totalFen: 200, book: 'DOCTOR' },
    });
    const [first] = await bank.inTransaction(({ tx }) => bank.ledger.transfersOf(tx, { type: 'test', id: 'none' }));
    expect(first).toBeUndefined();
    expect(await proven()).toMatchObject({ status: 'PASSED', findings: 0 });
  });

  it('of one key happens once, however many send it, and another amount under it is refused', async () => {
    const [one = ''] = await openDoctors(bank, 1);
    const command = accrue(one, 100n);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? bank.inTransaction : bank.elsewhere)((posting) => bank.ledger.post(posting, command)),
      ),
    );
    expect(new Set(results.map(({ transferId }) => transferId)).size).toBe(1);
    expect(results.filter(({ replayed }) => replayed)).toHaveLength(19);
    expect(results.map(({ entries }) => entries.length)).toEqual(Array.from({ length: 20 }, () => 2));
    const wrong = accrue(one, 101n, command.businessKey);
    await expect(post(wrong)).rejects.toMatchObject({ code: 'SCM18010' });
    expect(await postedOf(doctor(one))).toBe(100n);
  });

  it('of many is all or nothing, names the refused one, and locks a shared account once', async () => {
    const [one = '', other = ''] = await openDoctors(bank, 2);
    const all = Array.from({ length: 200 }, () => accrue(one, 10n));
    const broken = all.with(137, pay(other, 5n));
    await expect(bank.inTransaction((posting) => bank.ledger.postMany(posting, broken))).rejects.toMatchObject({
      code: 'SCM18001',
      data: { index: 137 },
    });
    expect(await postedOf(doctor(one))).toBe(0n);
    expect(await bank.inTransaction((posting) => bank.ledger.postMany(posting, all))).toHaveLength(200);
    expect(await postedOf(doctor(one))).toBe(2000n);
    const tooMany = Array.from({ length: 501 }, () => accrue(one, 1n));
    await expect(bank.inTransaction((posting) => bank.ledger.postMany(posting, tooMany))).rejects.toThrow('500');
  });

  it('within tryLedger leaves the transaction as it was', async () => {
    const [one = ''] = await openDoctors(bank, 1);
    await bank.inTransaction(async (posting) => {
      expect(await tryLedger(posting.tx, () => bank.ledger.post(posting, pay(one, 5n)))).toMatchObject({ refused: { code: 'SCM18001' } });
      expect(await tryLedger(posting.tx, () => bank.ledger.post(posting, accrue(one, 5n)))).toMatchObject({ done: { replayed: false } });
    });
    expect(await postedOf(doctor(one))).toBe(5n);
  });

  it('twice in one transaction against the order of locks is told while it is written', async () => {
    const [one = '', other = ''] = await openDoctors(bank, 2);
    const twice = bank.inTransaction(async (posting) => {
      await bank.ledger.post(posting, accrue(other, 5n));
      await bank.ledger.post(posting, accrue(one, 5n));
    });
    await expect(twice).rejects.toThrow('order of its locks');
  });
});

describe('what was posted', () => {
  it('is never changed, and does not commit unbalanced', async () => {
    const [one = ''] = await openDoctors(bank, 1);
    const { transferId } = await post(accrue(one, 100n));
    for (const statement of [
      'update ledger_entry set amount_fen = 1',
      'delete from ledger_entry',
      'delete from ledger_transfer',
      'truncate ledger_lot_move',
    ])
      await expect(bank.database.asOwner(statement)).rejects.toThrow(/append-only|foreign key/);
    for (const statement of [sql`update ledger_entry set amount_fen = 1`, sql`delete from ledger_entry`])
      await expect(statement.execute(bank.database.db)).rejects.toThrow('permission denied');
    const onlyHalf = `
      insert into ledger_entry (transfer_id, line_no, account_id, side, amount_fen)
        select ${transferId}, 9, id, 'D', 1
          from ledger_account limit 1`;
    await expect(bank.database.asOwner(onlyHalf)).rejects.toThrow('posted before');
    const unbalanced = `with t as (
        insert into ledger_transfer (
          transfer_no, book, transfer_type, business_key, payload_hash, posting_date, total_fen, ref_type, ref_id, operator_id,
          operator_name, trace_id, created_at
        )
        values ('LTx', 'DOCTOR', 'ACCRUE', 'test:half', '', '2026-11-23', 1, 'test', '1', '7', '李会计', '', now()) returning id)`;
    await expect(bank.database.asOwner(`${unbalanced} select id from t`)).rejects.toThrow('does not balance');
    await expect(bank.database.asOwner(`update ledger_balance set debit_total_fen = 1000 where floor_fen = 0`)).rejects.toThrow(
      'ledger_balance_floor',
    );
  });
});

describe('many at once', () => {
  it('never pass a floor: of two payments of 80 out of 100 one is refused', async () => {
    const [one = ''] = await openDoctors(bank, 1);
    await post(accrue(one, 100n));
    const results = await Promise.allSettled([
      bank.inTransaction((posting) => bank.ledger.post(posting, pay(one, 80n))),
      bank.elsewhere((posting) => bank.ledger.post(posting, pay(one, 80n))),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'SCM18001' } });
    expect(await postedOf(doctor(one))).toBe(20n);
  });

  it('cross each other without a deadlock, and nothing is lost', async () => {
    const [one = '', other = ''] = await openDoctors(bank, 2);
    await bank.inTransaction((posting) => bank.ledger.postMany(posting, [accrue(one, 1000n), accrue(other, 1000n)]));
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        (at % 4 < 2 ? bank.inTransaction : bank.elsewhere)((posting) =>
          bank.ledger.post(posting, at % 2 ? move(one, other, 7n) : move(other, one, 7n)),
        ),
      ),
    );
    expect((await postedOf(doctor(one))) + (await postedOf(doctor(other)))).toBe(2000n);
  });

  it('spread over the rows of an open account, whose sum is right', async () => {
    const doctors = await openDoctors(bank, 5);
    const before = await postedOf(cashOf());
    await Promise.all(
      Array.from({ length: 500 }, (_, at) =>
        (at % 2 ? bank.inTransaction : bank.elsewhere)((posting) => bank.ledger.post(posting, accrue(doctors[at % 5]!, 3n))),
      ),
    );
    expect((await postedOf(cashOf())) - before).toBe(1500n);
    const { rows: sums } = await sql<{ rows: string; entries: string }>`
      select (select sum(debit_total_fen - credit_total_fen) from ledger_balance b where b.account_id = a.id) as rows,
             (select sum(case side when 'D' then amount_fen else -amount_fen end) from ledger_entry e where e.account_id = a.id) as entries
        from ledger_account a where a.account_type = 'DR_CASH'`.execute(bank.database.db);
    for (const one of sums) expect(one.rows).toBe(one.entries);
    expect(await proven()).toMatchObject({ status: 'PASSED' });
  });

  it('are seen by readers as whole: the book sums to zero in every snapshot', async () => {
    const [one = '', other = '', third = ''] = await openDoctors(bank, 3);
    await bank.inTransaction((posting) => bank.ledger.postMany(posting, [accrue(one, 500n), accrue(other, 500n), accrue(third, 500n)]));
    const ids = [one, other, third];
    let writing = true;
    const readers = Array.from({ length: 3 }, async () => {
      const sums = new Set<bigint>();
      while (writing) {
        const all = await bank.ledger.balances(bank.database.db, ids.map(doctor), bank.now);
        sums.add(all.reduce((sum, { posted }) => sum + posted, 0n));
      }
      return sums;
    });
    await Promise.allSettled(
      Array.from({ length: 120 }, (_, at) =>
        bank.elsewhere((posting) => bank.ledger.post(posting, move(ids[at % 3]!, ids[(at + 1) % 3]!, BigInt(1 + (at % 200))))),
      ),
    );
    writing = false;
    for (const sums of await Promise.all(readers)) expect([...sums]).toEqual([1500n]);
  });

  it('of any kind in any order keep every invariant', async () => {
    const kinds = fc.record({
      kind: fc.constantFrom('accrue', 'move', 'pay', 'reverse'),
      from: fc.nat(3),
      to: fc.nat(3),
      amount: fc.bigInt(1n, 400n),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { minLength: 5, maxLength: 25 }), async (attempts) => {
        const ids = await openDoctors(bank, 4);
        const done: string[] = [];
        await Promise.all(
          attempts.map(async ({ kind, from, to, amount }, at) => {
            const turn = at % 2 ? bank.inTransaction : bank.elsewhere;
            await turn(async (posting) => {
              const [source, target] = [ids[from]!, ids[to]!];
              if (kind === 'reverse') {
                const transfer = done[from];
                if (transfer)
                  await bank.ledger.reverse(posting, { transfer, businessKey: `test:reverse:${next()}`, reason: '试验', actor: MAKER });
                return;
              }
              const command =
                kind === 'accrue' ? accrue(source, amount) : kind === 'pay' ? pay(source, amount) : move(source, target, amount);
              const { transferId } = await bank.ledger.post(posting, command);
              done.push(transferId);
            }).catch((error: { code?: string }) => expect(error.code).toMatch(/^SCM180(01|04|11|12|13)$/));
          }),
        );
        expect(await proven()).toMatchObject({ status: 'PASSED', findings: 0 });
      }),
      { numRuns: 6 },
    );
  });
});

describe('a frozen account', () => {
  it('lets nothing out and takes what comes in; who froze it by hand does not open it', async () => {
    const [one = ''] = await openDoctors(bank, 1);
    await post(accrue(one, 100n));
    const act = { reason: '核查', actor: MAKER };
    await bank.inTransaction((posting) => bank.ledger.freeze(posting, doctor(one), { ...act, byHand: true }));
    await expect(post(pay(one, 10n))).rejects.toMatchObject({ code: 'SCM18002' });
    await post(accrue(one, 10n));
    await expect(bank.inTransaction((posting) => bank.ledger.unfreeze(posting, doctor(one), act))).rejects.toMatchObject({
      code: 'SCM18051',
    });
    await bank.inTransaction((posting) => bank.ledger.unfreeze(posting, doctor(one), { ...act, actor: { id: '8', name: '王会计' } }));
    await expect(bank.inTransaction((posting) => bank.ledger.close(posting, doctor(one)))).rejects.toMatchObject({ code: 'SCM18040' });
    await post(pay(one, 110n));
    await bank.inTransaction((posting) => bank.ledger.close(posting, doctor(one)));
    await expect(post(accrue(one, 1n))).rejects.toMatchObject({ code: 'SCM18003' });
    expect(bank.published.filter(({ name }) => name.startsWith('ledger.account')).map(({ name }) => name)).toEqual([
      'ledger.account.frozen',
      'ledger.account.unfrozen',
    ]);
  });

  it('that was frozen while a payment waited refuses it', async () => {
    const [one = ''] = await openDoctors(bank, 1);
    await post(accrue(one, 100n));
    let waiting: Promise<unknown> = Promise.resolve();
    await bank.inTransaction(async (posting) => {
      await bank.ledger.freeze(posting, doctor(one), { reason: '核查', actor: MAKER });
      waiting = bank.elsewhere((other) => bank.ledger.post(other, pay(one, 10n))).catch((error: unknown) => error);
      const blocked = sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted`;
      await expect.poll(async () => (await blocked.execute(bank.database.db)).rows[0]!.n).toBeGreaterThan(0);
    });
    expect(await waiting).toMatchObject({ code: 'SCM18002' });
  });
});

describe('an account', () => {
  it('is opened once by what it is, with a credit line where it is given one', async () => {
    const id = next();
    const open = (floor?: bigint) =>
      bank.inTransaction((posting) =>
        bank.ledger.openAccount(posting, doctor(id), { ownerName: '张医生', ...(floor !== undefined && { floor }) }),
      );
    const [one, other] = await Promise.all([open(-500n), open(-500n)]);
    expect(one.accountNo).toBe(other.accountNo);
    expect(one.accountNo).toMatch(/^LAD\d{10}$/);
    await post(pay(id, 500n));
    await expect(post(pay(id, 1n))).rejects.toMatchObject({ code: 'SCM18001' });
    expect(await postedOf(doctor(id))).toBe(-500n);
    const wrong = bank.inTransaction((posting) => bank.ledger.openAccount(posting, { ...shop(), type: 'NONE' }, { ownerName: '无' }));
    await expect(wrong).rejects.toMatchObject({ code: 'SCM18008' });
  });
});
