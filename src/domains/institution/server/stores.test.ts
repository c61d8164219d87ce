import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { distanceM } from '../contract/geometry.ts';
import { addChain, modifyChain, remindLicence, saveLicence } from '../contract/licenceCalls.ts';
import { institutionPermissions } from '../contract/permissions.ts';
import {
  addDrugstore,
  auditDrugstore,
  auditStoreChange,
  changeDrugstoreState,
  modifyDrugstore,
  queryDrugstoreDetail,
  queryDrugstoreList,
  queryStoreChangeList,
  queryStoreChangeTrail,
  revealContact,
  saveBusinessHours,
  saveStoreHolidays,
  submitDrugstore,
  exportStoreChangeList,
} from '../contract/storeCalls.ts';
import { findDrugstores, isOpen, payeeAccountOf } from './index.ts';
import { asInput, freshName, freshUscc, keeper, licenceInput, makeStore, openStore, storeInput, week } from './testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
const changeOf = async (name: string) =>
  (await app.ok(queryStoreChangeList, { name, state: ['PENDING'] }, { as: await keeper(app) })).rows[0]!;
const detail = async (storeId: string) => app.ok(queryDrugstoreDetail, { storeId }, { as: await keeper(app) });

describe('opening a store', () => {
  it('asks for licences, place and hours, then for a second person', async () => {
    const store = await makeStore(app, { lngE6: null, latE6: null, locateSource: null });
    const as = store.maker;
    const submit = async () => app.refused(submitDrugstore, { id: store.id, version: (await detail(store.id)).version }, { as });
    await app.ok(saveLicence, licenceInput(store, 'BUSINESS', null), { as });
    expect(await submit()).toMatchObject({ code: 'SCM06030', message: '请上传药品经营许可证' });
    await app.ok(saveLicence, licenceInput(store, 'DRUG', '2026-11-21'), { as });
    await sql`update institution_licence set valid_to = '2026-11-20' where owner_id = ${store.id} and licence_type = 'DRUG'`.execute(
      app.db,
    );
    expect(await submit()).toMatchObject({ code: 'SCM06031', message: '药品经营许可证已过期（2026-11-20）' });
    await app.ok(saveLicence, licenceInput(store, 'DRUG'), { as });
    expect(await submit()).toMatchObject({ code: 'SCM06032' });
    await app.ok(modifyDrugstore, asInput({ ...(await detail(store.id)), maker: as }, { lngE6: 120_130_000, latE6: 30_270_000 }), { as });
    expect(await submit()).toMatchObject({ code: 'SCM06033' });
    await app.ok(saveBusinessHours, { storeIds: [store.id], weekHours: week }, { as });
    const { version } = await app.ok(submitDrugstore, { id: store.id, version: (await detail(store.id)).version }, { as });
    expect(await app.refused(auditDrugstore, { id: store.id, version, action: 'approve' }, { as })).toMatchObject({ code: 'SCM06019' });
    // Whoever changes what waits has made it, too.
    const other = await keeper(app);
    const changed = await app.ok(modifyDrugstore, asInput({ ...(await detail(store.id)), maker: as }, { phone: '0571-87000002' }), {
      as: other,
    });
    expect(changed.version).toBeGreaterThan(version);
    expect(await app.refused(auditDrugstore, { id: store.id, version: changed.version, action: 'approve' }, { as: other })).toMatchObject({
      code: 'SCM06019',
    });
    expect(
      await app.ok(auditDrugstore, { id: store.id, version: changed.version, action: 'approve' }, { as: await keeper(app) }),
    ).toMatchObject({ state: 'OPEN' });
  });

  it('happens within the region of whoever enters it', async () => {
    const as = await app.staff({
      permissions: [institutionPermissions['store.edit'].code, institutionPermissions['store.view'].code],
      scope: { region: ['330100'] },
    });
    const outside = { code: 'SCM90020', fields: [{ path: 'adcode', message: '该地区不在您的数据范围内' }] };
    expect(
      await app.refused(addDrugstore, storeInput({ adcode: '310101', lngE6: null, latE6: null, locateSource: null }), { as }),
    ).toMatchObject(outside);
    const store = await makeStore(app, {}, as);
    expect(
      await app.refused(
        modifyDrugstore,
        { ...asInput(store, { adcode: '330203', lngE6: null, latE6: null, locateSource: null }), reason: '搬迁' },
        { as },
      ),
    ).toMatchObject(outside);
    expect(await app.ok(queryDrugstoreDetail, { storeId: store.id }, { as })).toMatchObject({ adcode: '330106', version: store.version });
  });

  it('refuses the same shop twice and a chain store without its chain', async () => {
    const as = await keeper(app);
    const first = storeInput();
    await app.ok(addDrugstore, first, { as });
    expect(await app.refused(addDrugstore, { ...first, name: freshName('药店'), address: ` ${first.address}。` }, { as })).toMatchObject({
      code: 'SCM06038',
    });
    expect(await app.refused(addDrugstore, storeInput({ storeTags: ['CHAIN'] }), { as })).toMatchObject({
      code: 'SCM90020',
      fields: [{ path: 'chainId', message: '连锁门店请选择连锁总部' }],
    });
  });
});

describe('an open store', () => {
  it('keeps audited facts until somebody else approves; the phone acts at once', async () => {
    const store = await openStore(app);
    const { changeNo } = await app.ok(modifyDrugstore, asInput(store, { storeTags: ['SINGLE', 'ONLINE'], phone: '0571-87000000' }), {
      as: store.maker,
    });
    expect(changeNo).not.toBeNull();
    const now = await detail(store.id);
    expect(now).toMatchObject({ storeTags: ['SINGLE'], phone: '0571-87000000' });
    expect(
      await app.refused(modifyDrugstore, asInput({ ...now, maker: store.maker }, { storeTags: [] }), { as: store.maker }),
    ).toMatchObject({ code: 'SCM06042' });
    const change = await changeOf(store.name);
    const approve = { changeId: change.id, version: change.version, action: 'approve' as const };
    expect(await app.refused(auditStoreChange, approve, { as: store.maker })).toMatchObject({
      code: 'SCM06019',
      message: '申请人与复核人不能为同一人',
    });
    const checker = await keeper(app);
    await app.ok(auditStoreChange, approve, { as: checker });
    expect((await detail(store.id)).storeTags).toEqual(['SINGLE', 'ONLINE']);
    expect(
      (await app.ok(queryStoreChangeTrail, { changeId: change.id }, { as: checker })).map(({ label, displayName }) => [label, displayName]),
    ).toEqual([
      ['提交变更', store.maker.displayName],
      ['通过', checker.displayName],
    ]);
    const { body } = await app.file(exportStoreChangeList, { name: store.name, format: 'CSV' }, { as: checker });
    expect(body.toString()).toContain(`门店类型：单体药店 → 单体药店、网售药店`);
  });

  it('is paid to another chain’s account only after an audit', async () => {
    const payee = (storeId: string) => payeeAccountOf(app.db, { storeId });
    const chainOf = async () => {
      const name = freshName('连锁');
      const { id } = await app.ok(
        addChain,
        {
          name,
          uscc: freshUscc(),
          account: { companyName: name, taxNo: freshUscc(), bankName: '招商银行', bankNo: '', accountNo: '6225880112345678' },
        },
        { as: await keeper(app) },
      );
      const change = await changeOf(name);
      expect(await payeeAccountOf(app.db, { chainId: id })).toBeNull();
      await app.ok(auditStoreChange, { changeId: change.id, version: change.version, action: 'approve' }, { as: await keeper(app) });
      return { id, name };
    };
    const [old, fresh] = [await chainOf(), await chainOf()];
    const store = await openStore(app, { chainId: old.id, storeTags: ['CHAIN'], accountOf: 'CHAIN' });
    expect(
      (await app.ok(modifyDrugstore, asInput(store, { chainId: fresh.id, phone: '0571-87000001' }), { as: store.maker })).changeNo,
    ).not.toBeNull();
    expect(await detail(store.id)).toMatchObject({ chainId: old.id, phone: '0571-87000001' });
    expect(await payee(store.id)).toMatchObject({ ownerType: 'CHAIN', ownerId: old.id, companyName: old.name });
    const change = await changeOf(store.name);
    expect(change.differences).toEqual([{ label: '连锁总部', before: old.name, after: fresh.name }]);
    await app.ok(auditStoreChange, { changeId: change.id, version: change.version, action: 'approve' }, { as: await keeper(app) });
    expect(await detail(store.id)).toMatchObject({ chainId: fresh.id, chainName: fresh.name });
    expect(await payee(store.id)).toMatchObject({ ownerType: 'CHAIN', ownerId: fresh.id, companyName: fresh.name });
  });

  it('pays only an account in the licence holder’s name, told to invoicing when approved', async () => {
    const store = await openStore(app);
    const account = { companyName: '别的公司', taxNo: freshUscc(), bankName: '招商银行', bankNo: '', accountNo: '6225880112345678' };
    expect(await app.refused(modifyDrugstore, asInput(store, { accountOf: 'SHOP', account }), { as: store.maker })).toMatchObject({
      code: 'SCM06043',
    });
    await app.ok(modifyDrugstore, asInput(store, { accountOf: 'SHOP', account: { ...account, companyName: store.name } }), {
      as: store.maker,
    });
    const told = async () =>
      (
        await sql<{
          payload: { accountNoCipher: string };
        }>`
          select payload
            from kernel_outbox
            where name = 'institution.drugstoreAccount.changed' and aggregate_id = ${`store:${store.id}`}`.execute(app.db)
      ).rows;
    expect(await told()).toEqual([]);
    expect(await payeeAccountOf(app.db, { storeId: store.id })).toBeNull();
    const change = await changeOf(store.name);
    expect(JSON.stringify(change)).not.toContain('6225880112345678');
    await app.ok(auditStoreChange, { changeId: change.id, version: change.version, action: 'approve' }, { as: await keeper(app) });
    const { payload } = (await told())[0]!;
    expect(payload).toMatchObject({ storeId: store.id, bankName: '招商银行', licenceName: store.name });
    expect(JSON.stringify(payload)).not.toContain('6225880112345678');
    expect(app.kernel.secrets.decrypt(payload.accountNoCipher)).toBe('6225880112345678');
    expect((await detail(store.id)).account).toMatchObject({ accountNo: '************5678' });
    expect(await payeeAccountOf(app.db, { storeId: store.id })).toMatchObject({
      ownerType: 'DRUGSTORE',
      ownerId: store.id,
      licenceName: store.name,
      accountNoCipher: payload.accountNoCipher,
    });
    const draft = await makeStore(app, { accountOf: 'SHOP', account });
    expect(await payeeAccountOf(app.db, { storeId: draft.id })).toBeNull();
  });

  it('closes only without open orders', async () => {
    const store = await openStore(app);
    await sql`update institution_drugstore set open_order_count = 2 where id = ${store.id}`.execute(app.db);
    expect(
      await app.refused(
        changeDrugstoreState,
        { id: store.id, version: store.version, action: 'close', opinion: '租约到期' },
        { as: store.maker },
      ),
    ).toMatchObject({ code: 'SCM06034', message: '门店有2笔未完成订单' });
  });

  it('shows contacts masked, and reveals them to the log', async () => {
    const store = await makeStore(app, { managerMobile: '13812345678' });
    expect(store.managerMobile).toBe('138****5678');
    const viewer = await app.staff({ permissions: [institutionPermissions['store.view'].code] });
    expect(await app.refused(revealContact, { ownerType: 'DRUGSTORE', ownerId: store.id, field: 'MOBILE' }, { as: viewer })).toMatchObject({
      code: 'SCM90010',
    });
    expect(await app.ok(revealContact, { ownerType: 'DRUGSTORE', ownerId: store.id, field: 'MOBILE' }, { as: await keeper(app) })).toEqual({
      value: '13812345678',
    });
    const { rows } = await sql<{
      kind: string;
      resultCode: string;
    }>`select kind, result_code from identity_operation_log where call = ${revealContact.path} order by id`.execute(app.db);
    expect(rows.at(-1)).toEqual({ kind: 'REVEAL', resultCode: '0000000' });
  });
});

it('is reminded of its licences that end soon, as a whole', async () => {
  const [store, other] = [await openStore(app), await openStore(app)];
  const as = store.maker;
  expect(await app.refused(remindLicence, {}, { as })).toMatchObject({ code: 'SCM90020', fields: [{ message: '请选择证照或门店' }] });
  await sql`update institution_licence set valid_to = '2026-12-21' where owner_id = ${store.id} and licence_type = 'DRUG'`.execute(app.db);
  expect(await app.ok(remindLicence, { storeIds: [store.id, other.id] }, { as })).toEqual([
    { id: store.id, ok: true, message: '已发送1份证照的提醒' },
    { id: other.id, ok: false, message: '没有90天内到期的证照' },
  ]);
  const { rows } = await sql<{ title: string }>`select title from identity_notice where title like ${`证照提醒：${store.name}%`}`.execute(
    app.db,
  );
  expect(rows).toEqual([{ title: `证照提醒：${store.name}药品经营许可证30天后到期` }]);
});

describe('hours', () => {
  it('knows spans past midnight and holidays', async () => {
    const store = await openStore(app);
    const as = store.maker;
    expect(
      await app.refused(
        saveBusinessHours,
        {
          storeIds: [store.id],
          weekHours: {
            5: [
              { from: 540, to: 720 },
              { from: 700, to: 800 },
            ],
          },
        },
        { as },
      ),
    ).toMatchObject({ code: 'SCM06039' });
    await app.ok(saveBusinessHours, { storeIds: [store.id], weekHours: { 5: [{ from: 540, to: 1560 }] } }, { as });
    await app.ok(saveStoreHolidays, { storeIds: [store.id], days: [{ day: '2026-11-21', spans: [] }] }, { as });
    const open = (at: string) => isOpen(app.db, store.id, at);
    expect([
      await open('2026-11-20T17:30:00.000Z'),
      await open('2026-11-20T18:00:00.000Z'),
      await open('2026-11-21T03:00:00.000Z'),
    ]).toEqual([true, false, false]);
    const found = await app.ok(queryDrugstoreList, { name: store.name, openAt: '2026-11-20T17:30:00.000Z' }, { as });
    expect(found.total).toBe(1);
    expect((await app.ok(queryDrugstoreList, { name: store.name, openAt: '2026-11-20T18:00:00.000Z' }, { as })).total).toBe(0);
  });
});

it('finds exactly the stores within the radius, nearest first', async () => {
  const spots = fc.sample(
    fc.record({ lngE6: fc.integer({ min: 120_500_000, max: 120_600_000 }), latE6: fc.integer({ min: 30_300_000, max: 30_400_000 }) }),
    25,
  );
  const as = await keeper(app);
  const made: { id: string; storeNo: string; lngE6: number; latE6: number }[] = [];
  for (const spot of spots) {
    const store = await makeStore(app, spot, as);
    await sql`update institution_drugstore set state = 'OPEN' where id = ${store.id}`.execute(app.db);
    made.push({ id: store.id, storeNo: store.storeNo, ...spot });
  }
  const near = { lngE6: 120_550_000, latE6: 30_350_000, radiusM: 4_000 };
  const expected = made
    .map((store) => ({ ...store, away: distanceM(near, store) }))
    .filter(({ away }) => away <= near.radiusM)
    .toSorted((a, b) => a.away - b.away || a.storeNo.localeCompare(b.storeNo));
  const found = await findDrugstores(app.db, { near }, app.kernel.clock.now());
  expect(found.map(({ id, distanceM: away }) => [id, away])).toEqual(expected.map(({ id, away }) => [id, away]));
});

describe('licences past their day', () => {
  it('suspend the store until a renewed one is audited; a pharmacist’s only takes prescriptions away', async () => {
    const store = await openStore(app, {}, { DRUG: '2026-11-25' });
    const rx = await openStore(app, { capabilities: ['RX'], pharmacistName: '周药师' }, { PHARMACIST: '2026-11-25' });
    await app.advance(days(6), ['institution']);
    expect(await detail(store.id)).toMatchObject({ state: 'SUSPENDED', suspendReason: expect.stringContaining('证照过期') });
    expect(await detail(rx.id)).toMatchObject({ state: 'OPEN', capabilities: [], withheld: ['can:RX'] });
    const as = await keeper(app);
    const resume = async () => ({
      id: store.id,
      version: (await detail(store.id)).version,
      action: 'resume' as const,
      opinion: '证照已更新',
    });
    expect(await app.refused(changeDrugstoreState, await resume(), { as })).toMatchObject({ code: 'SCM06031' });
    for (const [one, type] of [
      [store, 'DRUG'],
      [rx, 'PHARMACIST'],
    ] as const) {
      await app.ok(saveLicence, licenceInput(one, type), { as });
      const change = await changeOf(one.name);
      await app.ok(auditStoreChange, { changeId: change.id, version: change.version, action: 'approve' }, { as: await keeper(app) });
    }
    expect(await app.ok(changeDrugstoreState, await resume(), { as })).toMatchObject({ state: 'OPEN' });
    expect(await detail(rx.id)).toMatchObject({ capabilities: ['RX'], withheld: [] });
  });
});

it('files a chain’s account for audit, in its licence holder’s name', async () => {
  const name = freshName('连锁');
  const as = await keeper(app);
  const account = { companyName: name, taxNo: freshUscc(), bankName: '招商银行', bankNo: '', accountNo: '6225880112345678' };
  const chain = { name, uscc: freshUscc() };
  const { id, version, changeNo } = await app.ok(addChain, { ...chain, account }, { as });
  expect(changeNo).toMatch(/^BG/);
  await app.ok(
    saveLicence,
    {
      ownerType: 'CHAIN',
      ownerId: id,
      licenceType: 'BUSINESS',
      licenceNo: chain.uscc,
      holder: '别的公司',
      validFrom: '2024-01-01',
      validTo: null,
    },
    { as },
  );
  const change = await changeOf(name);
  const approve = { changeId: change.id, version: change.version, action: 'approve' as const };
  expect(await app.refused(auditStoreChange, approve, { as: await keeper(app) })).toMatchObject({
    code: 'SCM06043',
    message: '收款户名须与营业执照名称一致',
  });
  expect(
    await app.refused(modifyChain, { id, version, ...chain, account: { ...account, accountNo: '6225880112345679' } }, { as }),
  ).toMatchObject({ code: 'SCM06043' });
  await app.ok(
    saveLicence,
    {
      ownerType: 'CHAIN',
      ownerId: id,
      licenceType: 'BUSINESS',
      licenceNo: chain.uscc,
      holder: name,
      validFrom: '2024-01-01',
      validTo: null,
    },
    { as },
  );
  await app.ok(auditStoreChange, approve, { as: await keeper(app) });
});
