import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf, days, plusDays, plusMs, startOfDay } from '#kernel/contract/time.ts';
import { signedHeaders } from '#testing/signing.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { makePatient } from '#domains/patient/server/testing/fixtures.ts';
import { addAdvertise, auditAdvertise, copyAdvertise, queryAdvertiseDetail, queryAdvertiseList } from '../../contract/adverts/calls.ts';
import { queryPageContent, queryViewerContent, reportContentEvent } from '../../contract/delivery/calls.ts';
import type { PositionCode } from '../../contract/delivery/positions.ts';
import { bindMark } from '../../contract/marks/calls/bindings.ts';
import { queryContentStat } from '../../contract/stats/calls.ts';
import { deliveryInvariants } from './invariants.ts';
import { adInput, allYes, approvalOf, judge, liveAd, makeAd, maker } from '../testing/deliveries.ts';
import { binder, makeGroup, makeMark } from '../testing/marks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const itemsAt = async (place: PositionCode, pageCode: string, deviceId = 'phone-1', more: object = {}, ip = '10.0.0.1') => {
  const { positions } = await app.ok(queryPageContent, { pageCode, deviceId, ...more }, { ip });
  return positions.find(({ positionCode }) => positionCode === place)?.items ?? [];
};
let events = 0;
const event = (trackId: string, type: 'SHOW' | 'CLICK' | 'CLOSE' = 'SHOW', more: object = {}) => {
  events += 1;
  return { eventId: `event-${String(events).padStart(6, '0')}`, trackId, type, at: app.clock.now(), ...more };
};
const tell = async (...all: ReturnType<typeof event>[]) => (await app.ok(reportContentEvent, { events: all }, {})).accepted;

describe('an advertisement', () => {
  it('keeps to the law when it is handed in', async () => {
    const as = await maker(app);
    const today = dayOf(app.clock.now());
    const refusedOf = async (more: Partial<Awaited<ReturnType<typeof adInput>>>) => {
      const { id, version } = await makeAd(app, more, as);
      return app.refused(auditAdvertise, { id, version, action: 'submit' }, { as });
    };
    expect(await refusedOf({ adClass: 'RX', ...(await approvalOf(app, as, plusDays(today, 90))) })).toMatchObject({
      code: 'SCM04020',
      message: '处方药广告仅可投放医生端',
    });
    expect(await refusedOf({ adClass: 'OTC' })).toMatchObject({ code: 'SCM04021', message: '请填写广告审查批准文号并上传文件' });
    expect(await refusedOf({ adName: '根治失眠' })).toMatchObject({ code: 'SCM04023', message: '包含广告法禁用词：根治' });
    const approved = async (until: string, more: object) => {
      const maker2 = await maker(app);
      const { id, version } = await app.ok(
        addAdvertise,
        { ...(await adInput(app, maker2)), ...(await approvalOf(app, maker2, until)), ...more },
        { as: maker2 },
      );
      return app.send(auditAdvertise, { id, version, action: 'submit' }, { as: maker2 });
    };
    expect((await approved(plusDays(today, 5), { adClass: 'OTC' })).envelope).toMatchObject({ code: 'SCM04022' });
    expect((await approved(plusDays(today, 60), { adClass: 'SUPPLEMENT' })).envelope).toMatchObject({ code: 'SCM04024' });
    expect((await approved(plusDays(today, 60), { adClass: 'OTC' })).envelope.code).toBe('0000000');
    const wrong = await adInput(app, as);
    expect(await app.refused(addAdvertise, { ...wrong, budgetType: 'CLICK' }, { as })).toMatchObject({ fields: [{ path: 'budgetCount' }] });
    expect(await app.refused(addAdvertise, { ...wrong, capPerPersonDay: 5, capPerPersonTotal: 2 }, { as })).toMatchObject({
      fields: [{ path: 'capPerPersonTotal' }],
    });
  });

  it('is passed once every point is answered, by another person; a copy has no approval', async () => {
    const as = await maker(app);
    const input = { ...(await adInput(app, as, { adClass: 'RX', positionCode: 'DR_HOME_FEED', adName: '奥希替尼用药须知' })) };
    const { id, version } = await app.ok(
      addAdvertise,
      { ...input, ...(await approvalOf(app, as, plusDays(dayOf(app.clock.now()), 60))) },
      { as },
    );
    const submitted = await app.ok(auditAdvertise, { id, version, action: 'submit' }, { as });
    const other = await judge(app);
    const approve = { id, version: submitted.version, action: 'approve' as const };
    expect(await app.refused(auditAdvertise, approve, { as: other })).toMatchObject({ code: 'SCM04025', message: '请完成审核要点' });
    const { LANDING_SAME: _left, ...four } = allYes;
    expect(await app.refused(auditAdvertise, { ...approve, checks: four }, { as: other })).toMatchObject({ code: 'SCM04025' });
    expect(await app.refused(auditAdvertise, { ...approve, checks: { ...allYes, NO_PATIENT: 'NO' } }, { as: other })).toMatchObject({
      fields: [{ path: 'checks' }],
    });
    await app.ok(auditAdvertise, { ...approve, checks: allYes }, { as: other });
    expect(await itemsAt('DR_HOME_FEED', 'DR_HOME')).toMatchObject([{ name: '奥希替尼用药须知', isAd: true, sponsorName: '测试广告主' }]);
    const copy = await app.ok(copyAdvertise, { id }, { as });
    expect((await app.ok(queryAdvertiseDetail, { id: copy.id }, { as })).advert).toMatchObject({
      approvalNo: '',
      approvalUntil: null,
      shownState: 'DRAFT',
    });
    const { rows } = await app.ok(queryAdvertiseList, { adClass: ['RX'], state: ['LIVE'] }, { as });
    expect(rows.map((row) => row.id)).toEqual([id]);
  });

  it('is kept lawful by the database too', async () => {
    const { id } = await liveAd(app, { positionCode: 'MP_MINE_FEED' });
    await expect(
      sql`update content_advert set ad_class = 'RX' where delivery_id = ${id}`
        .execute(app.db)
        .then(() => sql`update content_delivery set priority = 51 where id = ${id}`.execute(app.db)),
    ).rejects.toThrow('prescription medicines are advertised to doctors alone');
    await sql`update content_advert set ad_class = 'BRAND' where delivery_id = ${id}`.execute(app.db);
  });

  it('is taken down when its approval is over, and not shown even before that', async () => {
    const as = await maker(app);
    const until = plusDays(dayOf(app.clock.now()), 8);
    const input = await adInput(app, as, {
      adClass: 'OTC',
      positionCode: 'MP_DRUG_DETAIL_FEED',
      adName: '布洛芬缓释胶囊',
      endAt: startOfDay(plusDays(until, 1)),
    });
    const { id, version } = await app.ok(addAdvertise, { ...input, ...(await approvalOf(app, as, until)) }, { as });
    const submitted = await app.ok(auditAdvertise, { id, version, action: 'submit' }, { as });
    await app.ok(auditAdvertise, { id, version: submitted.version, action: 'approve', checks: allYes }, { as: await judge(app) });
    expect(await itemsAt('MP_DRUG_DETAIL_FEED', 'MP_DRUG_DETAIL')).toHaveLength(1);
    await app.advance(days(1), ['content']);
    await app.runDue();
    const { rows: told } = await sql<{
      n: number;
    }>`select count(*)::int as n from identity_notice where title = '1个广告的批准文号7天后到期'`.execute(app.db);
    expect(told[0]?.n).toBe(1);
    await app.advance(days(8), ['content']);
    expect(await itemsAt('MP_DRUG_DETAIL_FEED', 'MP_DRUG_DETAIL')).toHaveLength(0);
    await app.runDue();
    const { advert, timeline } = await app.ok(queryAdvertiseDetail, { id }, { as: await judge(app) });
    expect(advert).toMatchObject({ shownState: 'OFFLINE', offlineReason: '批准文号到期' });
    expect(timeline.at(-1)).toMatchObject({ action: 'expire', displayName: '系统' });
    const { rows: published } = await sql<{
      n: number;
    }>`select count(*)::int as n from kernel_outbox where name = 'content.delivery.changed' and aggregate_id = ${id}`.execute(app.db);
    // Approved, and taken down.
    expect(published[0]?.n).toBe(2);
  });

  it('of a sponsor goes by marks only where a patient agrees', async () => {
    const markId = await makeMark(app, await makeGroup(app, { objectType: 'PATIENT' }));
    await liveAd(app, { positionCode: 'MP_CONSULT_FEED', adName: '定向', audience: { marksAny: [markId] } });
    const { id: viewerId } = await makePatient(app);
    await app.ok(bindMark, { markIds: [markId], objectType: 'PATIENT', objectIds: [viewerId] }, { as: await binder(app) });
    const seen = async () => {
      const ask = { pageCode: 'MP_CONSULT', viewerId };
      const { positions } = await app.ok(queryViewerContent, ask, { headers: await signedHeaders(app, queryViewerContent, ask) });
      return positions.find(({ positionCode }) => positionCode === 'MP_CONSULT_FEED')?.items.map(({ name }) => name);
    };
    expect(await seen()).toEqual([]);
    await sql`
      insert into patient_consent_state (patient_id, consent_type, state, doc_version, at)
        values (${viewerId}, 'MARKETING', 'VALID', 'V1', ${app.clock.now()})
        on conflict (patient_id, consent_type) do update
        set state = 'VALID'`.execute(app.db);
    expect(await seen()).toEqual(['定向']);
  });
});

describe('what is told of it', () => {
  it('counts once, not late, not forged, and caps what one person sees in a day', async () => {
    const place = 'ST_HOME_FEED';
    const { as, id } = await liveAd(app, { positionCode: place, capPerPersonDay: 2 });
    const [first] = await itemsAt(place, 'ST_HOME', 'till-1', { adcode: '320102' });
    const told = event(first?.trackId ?? '');
    expect(await tell(told, told, event(first?.trackId ?? ''))).toBe(1);
    expect(await tell(told)).toBe(0);
    expect(
      await tell(
        event(`${first?.trackId}0`),
        event('forged.track'),
        event(first?.trackId ?? '', 'CLICK', { at: plusMs(app.clock.now(), -days(2)) }),
      ),
    ).toBe(0);
    expect(await tell(event(first?.trackId ?? '', 'CLICK'), event(first?.trackId ?? '', 'CLOSE'))).toBe(2);
    const [second] = await itemsAt(place, 'ST_HOME', 'till-1');
    expect(await tell(event(second?.trackId ?? ''))).toBe(1);
    expect(await itemsAt(place, 'ST_HOME', 'till-1')).toEqual([]);
    expect(await itemsAt(place, 'ST_HOME', 'till-2')).toHaveLength(1);
    const today = dayOf(app.clock.now());
    const stat = async (groupBy: 'day' | 'region' | 'hour' | 'content' | 'position') =>
      (await app.ok(queryContentStat, { kind: 'AD', ids: [id], from: today, to: today, groupBy }, { as: await judge(app) })).rows;
    expect(await stat('day')).toMatchObject([
      { label: today, impressions: 2, viewers: 1, clicks: 1, ctrBp: 5000, closes: 1, perViewer: '2.0' },
    ]);
    expect((await stat('region')).map(({ label, impressions }) => [label, impressions])).toEqual(
      expect.arrayContaining([
        ['江苏省', 1],
        ['未知', 1],
      ]),
    );
    expect(await stat('position')).toMatchObject([{ label: '药店端首页广告位', impressions: 2 }]);
    expect(
      await app.refused(queryContentStat, { kind: 'AD', from: today, to: plusDays(today, -1) }, { as: await judge(app) }),
    ).toMatchObject({ fields: [{ path: 'to' }] });
    expect(
      (await app.ok(queryAdvertiseList, { adNo: (await app.ok(queryAdvertiseDetail, { id }, { as })).advert.adNo }, { as })).rows[0],
    ).toMatchObject({ impressions: 2, clicks: 1 });
    await app.advance(days(1), ['content']);
    expect(await itemsAt(place, 'ST_HOME', 'till-1')).toHaveLength(1);
  });

  it('ends a budget within a hundredth, with twenty clients at once, and every count agrees', async () => {
    const place = 'MP_HOME_POPUP';
    const [budget, clients] = [1000, 20];
    const { as, id } = await liveAd(app, { positionCode: place, budgetType: 'IMPRESSION', budgetCount: budget });
    // Most of it is used already.
    await sql`update content_advert set impressions = 930 where delivery_id = ${id}`.execute(app.db);
    await sql`insert into content_stat (delivery_id, day, hour, impressions) values (${id}, ${dayOf(app.clock.now())}, 0, 930)`.execute(
      app.db,
    );
    let served = 0;
    const client = async (n: number) => {
      for (let empty = 0; empty < 40;) {
        const [item] = await itemsAt(place, 'MP_HOME', `phone-${n}-${served}`, {}, `10.0.1.${n}`);
        if (!item) empty += 1;
        else {
          served += 1;
          await app.ok(reportContentEvent, { events: [event(item.trackId)] }, { ip: `10.0.1.${n}` });
        }
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, n) => client(n)));
    const { advert } = await app.ok(queryAdvertiseDetail, { id }, { as });
    expect(advert.spent).toBe(930 + served);
    expect(advert.spent).toBeLessThanOrEqual(budget * 1.01);
    // The last ones are given out seldom; none is left behind.
    if (advert.spent < budget) {
      await sql`update content_advert set impressions = budget_count where delivery_id = ${id}`.execute(app.db);
      await sql`
        update content_stat set impressions = impressions + ${budget - advert.spent} where delivery_id = ${id} and hour = 0`.execute(
        app.db,
      );
    }
    expect((await app.ok(queryAdvertiseDetail, { id }, { as })).advert.shownState).toBe('ENDED');
    expect(await itemsAt(place, 'MP_HOME', 'phone-after')).toEqual([]);
    for (const [name, statement] of deliveryInvariants ?? [])
      expect([name, (await sql.raw<{ n: number }>(statement).execute(app.db)).rows[0]?.n]).toEqual([name, 0]);
  });
});
