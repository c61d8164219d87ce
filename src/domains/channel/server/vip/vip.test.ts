import { dayOf, days, plusDays, plusMs } from '#kernel/contract/time.ts';
import { sql } from 'kysely';
import { uploadFile, uploadRows } from '#testing/uploads.ts';
import { commitImportTask, queryImportResult } from '#domains/files/contract/calls/imports.ts';
import { CONTRACT_PURPOSE } from '../../contract/purposes.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addChannelVip, auditChannelVip, importVipMember, queryChannelVipDetail, submitChannelVip } from '../../contract/calls/vips.ts';
import { drawPng } from '../codes/draw.ts';
import { liveVip, makeChannel, makeContract, makeVip, operator, style, vipTerms } from '../testing/fixtures.ts';
import { vipMemberImporter } from './importMembers.ts';
import { activateDueVips } from './state.ts';
import { getVipBenefit, joinVip, releaseVip, reserveVip } from './budget.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const reserve = (vipId: string, orderId: string, amountFen: bigint) =>
  app.kernel.transactions.run('test', ({ tx }) => reserveVip(tx, vipId, { orderId, amountFen }, app.clock.now()));
const release = (orderId: string) => app.kernel.transactions.run('test', ({ tx }) => releaseVip(tx, orderId, app.clock.now()));
const used = async (id: string) => (await app.ok(queryChannelVipDetail, { id }, { as: await operator(app) })).usedFen;

describe('VIP rows', () => {
  it('need a contract, fair discounts, free days and a second person', async () => {
    const bare = await makeVip(app, {}, false);
    expect(await app.refused(submitChannelVip, { id: bare.id, version: 1 }, { as: bare.as })).toMatchObject({
      code: 'SCM08020',
      message: '请上传合作协议',
    });
    expect(
      await app.refused(addChannelVip, { ...vipTerms, channelId: bare.channelId, defaultDiscountBp: 10_001 }, { as: bare.as }),
    ).toMatchObject({ code: 'SCM08022', message: '折扣须在0至100%之间' });
    const first = await makeVip(app);
    await app.ok(submitChannelVip, { id: first.id, version: 1 }, { as: first.as });
    expect(await app.refused(auditChannelVip, { id: first.id, version: 2, action: 'approve' }, { as: first.as })).toMatchObject({
      code: 'SCM08023',
      message: '提交人与审核人不能为同一人',
    });
    const second = await makeVip(app, { channelId: first.channelId });
    expect(await app.refused(submitChannelVip, { id: second.id, version: 1 }, { as: second.as })).toMatchObject({
      code: 'SCM08021',
      message: '有效期与已有VIP权益重叠',
    });
    const apart = await makeVip(app, { channelId: first.channelId, startDate: '2027-11-01', endDate: '2027-12-31' });
    await app.ok(submitChannelVip, { id: apart.id, version: 1 }, { as: apart.as });
  });

  it('take the contract that whoever makes them has uploaded, and keep every move on their timeline', async () => {
    const maker = await app.staff({ role: 'CHANNEL_OPS' });
    const bytes = await drawPng('协议', style);
    const fileId = await uploadFile(app, maker, CONTRACT_PURPOSE, { fileName: '合作协议.png', contentType: 'image/png', bytes });
    const { id } = await app.ok(
      addChannelVip,
      { ...vipTerms, channelId: (await makeChannel(app)).id, startDate: '2026-11-22', endDate: '2026-11-23', contractFileIds: [fileId] },
      { as: maker },
    );
    await app.ok(submitChannelVip, { id, version: 1 }, { as: maker });
    await app.ok(auditChannelVip, { id, version: 2, action: 'approve' }, { as: await app.staff({ role: 'OPS_AUDIT' }) });
    const seen = async () => app.ok(queryChannelVipDetail, { id }, { as: await app.staff({ role: 'OPS_AUDIT' }) });
    expect(await seen()).toMatchObject({ state: 'WAITING', contracts: [{ fileName: '合作协议.png' }] });
    const night = async (after: number) => {
      app.clock.set(plusMs(app.clock.now(), days(after)));
      const now = app.clock.now();
      await app.kernel.transactions.run('test', (writing) => activateDueVips(writing, { now, traceId: 'test' }, dayOf(now)));
    };
    await night(1);
    expect((await seen()).state).toBe('ACTIVE');
    await night(2);
    expect((await seen()).trail.map(({ action, displayName }) => [action, displayName === '系统'])).toEqual([
      ['submit', false],
      ['approve', false],
      ['activate', true],
      ['expire', true],
    ]);
  });

  it('are followed by a new row that takes over what was used', async () => {
    const old = await liveVip(app);
    await reserve(old.id, '900', 1_000n);
    await app.kernel.transactions.run('test', ({ tx }) => joinVip(tx, old.id, { patientId: '5', scanId: null }, app.clock.now()));
    const next = await app.ok(
      addChannelVip,
      {
        ...vipTerms,
        channelId: old.channelId,
        previousVipId: old.id,
        startDate: dayOf(app.clock.now()),
        contractFileIds: [await makeContract(app, old.as)],
      },
      { as: old.as },
    );
    await app.ok(submitChannelVip, { id: next.id, version: 1 }, { as: old.as });
    await app.ok(auditChannelVip, { id: next.id, version: 2, action: 'approve' }, { as: await operator(app) });
    const as = await operator(app);
    expect(await app.ok(queryChannelVipDetail, { id: old.id }, { as })).toMatchObject({
      state: 'EXPIRED',
      endDate: plusDays(dayOf(app.clock.now()), -1),
    });
    expect(await app.ok(queryChannelVipDetail, { id: next.id }, { as })).toMatchObject({
      state: 'ACTIVE',
      usedFen: '1000',
      memberCount: 1,
    });
  });
});

describe('VIP budgets', () => {
  it('are used up to the last fen and not one further', async () => {
    const { id } = await liveVip(app);
    expect(await reserve(id, '1', 999_000n)).toBe(true);
    expect(await reserve(id, '2', 1_237n)).toBe(false);
    expect(await reserve(id, '3', 1_000n)).toBe(true);
    expect(await used(id)).toBe('1000000');
    await release('3');
    await release('3');
    expect(await used(id)).toBe('999000');
  });

  it('hold under orders that come at once, in total and in the month', async () => {
    const { id } = await liveVip(app, { totalBudgetFen: 100_000, monthlyBudgetFen: 30_000 });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => reserve(id, String(5_000 + index), 1_000n)));
    expect(answers.filter(Boolean)).toHaveLength(30);
    expect(await used(id)).toBe('30000');
  });

  it('serve the channel below, members alone when places are limited', async () => {
    const { id, channelId } = await liveVip(app, { patientQuota: 1, itemDiscounts: [{ itemId: '7', discountBp: 2_000 }] });
    const child = await makeChannel(app, { parentId: channelId });
    const benefit = (patientId: string, itemId: string) =>
      getVipBenefit(app.db, { channelId: child.id, itemId, patientId, at: app.clock.now() });
    const join = (patientId: string) =>
      app.kernel.transactions.run('test', ({ tx }) => joinVip(tx, id, { patientId, scanId: null }, app.clock.now()));
    expect(await benefit('1', '7')).toBeNull();
    await join('1');
    await expect(join('2')).rejects.toMatchObject({ code: 'SCM08024' });
    expect(await benefit('1', '7')).toEqual({ vipId: id, discountBp: 2_000, level: 'GOLD' });
    expect(await benefit('1', '8')).toMatchObject({ discountBp: 1_250 });
  });

  it('take members from a table, who is one stays one, and no more than there are places', async () => {
    const { id: vipId } = await liveVip(app, { patientQuota: 3 });
    const as = await operator(app);
    await app.kernel.transactions.run('test', ({ tx }) => joinVip(tx, vipId, { patientId: '1', scanId: null }, app.clock.now()));
    const check = async (patients: readonly string[]) => {
      const fileId = await uploadRows(
        app,
        as,
        vipMemberImporter,
        patients.map((patientId) => ({ patientId })),
      );
      const { importTaskId } = await app.ok(importVipMember, { vipId, fileId }, { as });
      await app.runDue();
      return app.ok(queryImportResult, { importTaskId }, { as });
    };
    expect(await app.refused(importVipMember, { vipId: '999999', fileId: '1' }, { as })).toMatchObject({ code: 'SCM90040' });
    expect(await check(['1', '2', '3', '4'])).toMatchObject({ state: 'INVALID', errorRows: 1 });
    const { importTaskId, version, ...checked } = await check(['1', '2', '3']);
    expect(checked).toMatchObject({ state: 'READY', newRows: 2, sameRows: 1 });
    await app.ok(commitImportTask, { importTaskId, version }, { as, idempotencyKey: 'commit-of-the-vip-members' });
    await app.runDue();
    const { rows } = await sql<{ patientId: string }>`
      select patient_id from channel_vip_member where vip_id = ${vipId} order by patient_id`.execute(app.db);
    expect(rows.map(({ patientId }) => patientId)).toEqual(['1', '2', '3']);
  });
});
