import { sql } from 'kysely';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  addHospitalApply,
  applyHospital,
  auditHospital,
  claimHospitalAudit,
  queryHospitalAuditDetail,
  queryHospitalAuditList,
  releaseHospitalAudit,
  withdrawHospitalApply,
  exportHospitalAuditList,
} from '../contract/applyCalls.ts';
import { addDepartment, batchMapDepartment, delDepartment, modifyDepartment, queryDepartmentTree } from '../contract/departmentCalls.ts';
import {
  addMergeHospital,
  auditMergeHospital,
  ignoreDuplicatePair,
  previewMergeHospital,
  queryDuplicateHospital,
  queryDuplicatePairList,
  queryMergeHospitalList,
  queryMergeHospitalTrail,
  undoMergeHospital,
  exportDuplicateHospital,
  exportMergeHospitalList,
} from '../contract/duplicateCalls.ts';
import {
  addHospital,
  addHospitalAlias,
  changeHospitalState,
  delHospital,
  delHospitalAlias,
  modifyHospital,
  modifyHospitalLevel,
  queryHospitalCounts,
  queryHospitalDetail,
  exportHospitalList,
  queryHospitalList,
  querySelectOptions,
  searchHospital,
} from '../contract/hospitalCalls.ts';
import {
  addChain,
  modifyChain,
  queryChainList,
  queryLicenceExpireList,
  queryStoreGoodsList,
  remindLicence,
  saveLicence,
  exportChainList,
  exportLicenceList,
  exportStoreGoodsList,
} from '../contract/licenceCalls.ts';
import {
  addDrugstore,
  auditDrugstore,
  auditStoreChange,
  cancelStoreChange,
  changeDrugstoreState,
  delDrugstore,
  geocodeDrugstores,
  modifyDrugstore,
  queryDrugstoreDetail,
  queryDrugstoreList,
  queryStoreChangeList,
  queryStoreChangeTrail,
  revealContact,
  saveBusinessHours,
  saveStoreHolidays,
  saveStorePlace,
  submitDrugstore,
  exportDrugstoreList,
  exportStoreChangeList,
} from '../contract/storeCalls.ts';
import {
  asInput,
  claimedApply,
  freshName,
  freshUscc,
  hospitalInput,
  keeper,
  licenceInput,
  makeApply,
  makeChain,
  makeHospital,
  makeMerge,
  makeStore,
  NONE,
  openStore,
  storeInput,
  week,
} from './testing/fixtures.ts';
import { uploadRows } from '#testing/uploads.ts';
import { hospitalImporter } from './transfer/hospitalImporter.ts';
import { departmentImporter } from './transfer/departmentImporter.ts';
import { storeGoodsImporter } from './transfer/storeGoodsImporter.ts';
import { storeImporter } from './transfer/storeImporter.ts';
import { importDepartment, importHospital, importDrugstore, importStoreGoods } from '../contract/importCalls.ts';

const page = { pageNo: 1, pageSize: 10 };
const makeDepartment = async (app: TestApp) =>
  app.ok(addDepartment, { hospitalId: (await makeHospital(app)).id, name: '内科' }, { as: await keeper(app) });
const pairOf = async (app: TestApp) => {
  const [a, b] = [await makeHospital(app), await makeHospital(app)];
  return { a, b };
};
const changed = async (app: TestApp) => {
  const store = await openStore(app);
  const { changeNo } = await app.ok(modifyDrugstore, asInput(store, { storeTags: ['SINGLE', 'ONLINE'] }), { as: store.maker });
  const { rows } = await app.ok(queryStoreChangeList, { ...page, name: store.name }, { as: store.maker });
  return rows.find((row) => row.changeNo === changeNo)!;
};
const done = async (app: TestApp) => {
  const merge = await makeMerge(app);
  return app.ok(
    auditMergeHospital,
    { mergeId: merge.id, version: merge.version, action: 'approve' as const },
    { as: await keeper(app), idempotencyKey: `approval-of-merge-${merge.id}` },
  );
};
const expiringLicence = async (app: TestApp) => {
  const store = await makeStore(app);
  const as = await keeper(app);
  await app.ok(saveLicence, licenceInput(store, 'DRUG', '2026-12-21'), { as });
  return (await app.ok(queryDrugstoreDetail, { storeId: store.id }, { as })).licences[0]!;
};
const factsOfHospital = (hospital: Awaited<ReturnType<typeof makeHospital>>) => ({ ...hospitalInput({ name: hospital.name }) });

/** One valid input and one foreign record per call, for the tests generated from the call table. */
export const institutionCases: readonly CallCase[] = [
  callCase(queryHospitalList, async () => ({ ...page, keyword: '医院' })),
  callCase(queryHospitalCounts, async () => ({})),
  callCase(queryHospitalDetail, async (app) => ({ hospitalId: (await makeHospital(app)).id }), {
    foreign: async () => ({ hospitalId: NONE }),
  }),
  callCase(addHospital, async () => hospitalInput()),
  callCase(
    modifyHospital,
    async (app) => {
      const hospital = await makeHospital(app);
      return { id: hospital.id, version: hospital.version, ...factsOfHospital(hospital), phone: '0571-87065701' };
    },
    { foreign: async () => ({ id: NONE, version: 1, ...hospitalInput() }) },
  ),
  callCase(
    modifyHospitalLevel,
    async (app) => ({ id: (await makeHospital(app)).id, version: 1, level: 'L2A' as const, opinion: '评审结果' }),
    { foreign: async () => ({ id: NONE, version: 1, level: 'L2A' as const, opinion: '评审结果' }) },
  ),
  callCase(delHospital, async (app) => ({ id: (await makeHospital(app)).id, version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(
    changeHospitalState,
    async (app) => ({ id: (await makeHospital(app)).id, version: 1, action: 'disable' as const, opinion: '已停业' }),
    { foreign: async () => ({ id: NONE, version: 1, action: 'disable' as const, opinion: '已停业' }) },
  ),
  callCase(addHospitalAlias, async (app) => ({ hospitalId: (await makeHospital(app)).id, name: freshName(), kind: 'FORMER' as const }), {
    foreign: async () => ({ hospitalId: NONE, name: '别名', kind: 'FORMER' as const }),
  }),
  callCase(
    delHospitalAlias,
    async (app) => {
      const { id } = await makeHospital(app);
      const alias = await app.ok(
        addHospitalAlias,
        { hospitalId: id, name: freshName(), kind: 'SHORT' as const },
        { as: await keeper(app) },
      );
      return { hospitalId: id, aliasId: alias.id };
    },
    { foreign: async (app) => ({ hospitalId: (await makeHospital(app)).id, aliasId: NONE }) },
  ),
  callCase(querySelectOptions, async () => ({ keyword: '医院', limit: 5 })),
  callCase(searchHospital, async () => ({ keyword: '医院' }), { as: null }),

  callCase(queryDepartmentTree, async () => ({}), { foreign: async () => ({ hospitalId: NONE }) }),
  callCase(addDepartment, async (app) => ({ hospitalId: (await makeHospital(app)).id, name: '心内科', standardDeptCode: '03.04' }), {
    foreign: async () => ({ hospitalId: NONE, name: '心内科' }),
  }),
  callCase(modifyDepartment, async (app) => ({ id: (await makeDepartment(app)).id, version: 1, name: '大内科' }), {
    foreign: async () => ({ id: NONE, version: 1, name: '大内科' }),
  }),
  callCase(delDepartment, async (app) => ({ id: (await makeDepartment(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(batchMapDepartment, async (app) => ({ ids: [(await makeDepartment(app)).id], standardDeptCode: '03' }), {
    foreign: async () => ({ ids: [NONE], standardDeptCode: '03' }),
  }),

  callCase(queryDuplicateHospital, async (app) => ({ hospitalId: (await makeHospital(app)).id }), {
    foreign: async () => ({ hospitalId: NONE }),
  }),
  callCase(queryDuplicatePairList, async () => page),
  callCase(
    ignoreDuplicatePair,
    async (app) => {
      const { a, b } = await pairOf(app);
      return { leftId: a.id, rightId: b.id };
    },
    { foreign: async (app) => ({ leftId: (await makeHospital(app)).id, rightId: NONE }) },
  ),
  callCase(
    previewMergeHospital,
    async (app) => {
      const { a, b } = await pairOf(app);
      return { survivorId: a.id, loserIds: [b.id] };
    },
    { foreign: async (app) => ({ survivorId: (await makeHospital(app)).id, loserIds: [NONE] }) },
  ),
  callCase(
    addMergeHospital,
    async (app) => {
      const { a, b } = await pairOf(app);
      return { survivorId: a.id, loserIds: [b.id], reason: '重复医院' };
    },
    { foreign: async (app) => ({ survivorId: (await makeHospital(app)).id, loserIds: [NONE], reason: '重复医院' }) },
  ),
  callCase(
    auditMergeHospital,
    async (app) => {
      const merge = await makeMerge(app);
      return { mergeId: merge.id, version: merge.version, action: 'approve' as const };
    },
    { foreign: async () => ({ mergeId: NONE, version: 1, action: 'approve' as const }) },
  ),
  callCase(
    undoMergeHospital,
    async (app) => {
      const merge = await done(app);
      return { mergeId: merge.id, version: merge.version, opinion: '合并有误' };
    },
    { foreign: async () => ({ mergeId: NONE, version: 1, opinion: '合并有误' }) },
  ),
  callCase(queryMergeHospitalList, async () => page),
  callCase(queryMergeHospitalTrail, async (app) => ({ mergeId: (await makeMerge(app)).id }), { foreign: async () => ({ mergeId: NONE }) }),

  callCase(queryHospitalAuditList, async () => ({ ...page, tab: 'WAITING' as const })),
  callCase(queryHospitalAuditDetail, async (app) => ({ applyId: (await makeApply(app)).id }), { foreign: async () => ({ applyId: NONE }) }),
  callCase(claimHospitalAudit, async (app) => ({ applyId: (await makeApply(app)).id }), { foreign: async () => ({ applyId: NONE }) }),
  callCase(releaseHospitalAudit, async (app, as) => ({ applyId: (await claimedApply(app, as!)).id }), {
    foreign: async () => ({ applyId: NONE }),
  }),
  callCase(
    auditHospital,
    async (app, as) => {
      const apply = await claimedApply(app, as!);
      return { applyId: apply.id, version: apply.version, action: 'approve' as const };
    },
    { foreign: async () => ({ applyId: NONE, version: 1, action: 'approve' as const }) },
  ),
  callCase(addHospitalApply, async () => ({ applyType: 'CREATE' as const, payload: hospitalInput() }), {
    foreign: async () => ({ applyType: 'MODIFY' as const, hospitalId: NONE, payload: { phone: '0571-87065701' } }),
  }),
  callCase(
    withdrawHospitalApply,
    async (app, as) => {
      const { id, version } = await app.ok(addHospitalApply, { applyType: 'CREATE' as const, payload: hospitalInput() }, { as: as! });
      return { applyId: id, version };
    },
    { foreign: async (app) => ({ applyId: (await makeApply(app)).id, version: 1 }) },
  ),
  callCase(
    applyHospital,
    async () => ({
      facts: hospitalInput(),
      applicantType: 'DOCTOR' as const,
      applicantId: '1',
      applicantName: '陈立',
      applicantMobile: '13812345678',
    }),
    { as: null },
  ),

  callCase(queryDrugstoreList, async () => page),
  callCase(queryDrugstoreDetail, async (app) => ({ storeId: (await makeStore(app)).id }), { foreign: async () => ({ storeId: NONE }) }),
  callCase(addDrugstore, async () => storeInput()),
  callCase(modifyDrugstore, async (app) => asInput(await makeStore(app), { phone: '0571-87065702' }), {
    foreign: async () => ({ id: NONE, version: 1, ...storeInput() }),
  }),
  callCase(
    submitDrugstore,
    async (app) => {
      const store = await makeStore(app);
      for (const type of ['BUSINESS', 'DRUG'] as const) await app.ok(saveLicence, licenceInput(store, type), { as: store.maker });
      await app.ok(saveBusinessHours, { storeIds: [store.id], weekHours: week }, { as: store.maker });
      return { id: store.id, version: 2 };
    },
    { foreign: async () => ({ id: NONE, version: 1 }) },
  ),
  callCase(
    auditDrugstore,
    async (app) => {
      const store = await makeStore(app);
      for (const type of ['BUSINESS', 'DRUG'] as const) await app.ok(saveLicence, licenceInput(store, type), { as: store.maker });
      await app.ok(saveBusinessHours, { storeIds: [store.id], weekHours: week }, { as: store.maker });
      const { version } = await app.ok(submitDrugstore, { id: store.id, version: 2 }, { as: store.maker });
      return { id: store.id, version, action: 'approve' as const };
    },
    { foreign: async () => ({ id: NONE, version: 1, action: 'approve' as const }) },
  ),
  callCase(queryStoreChangeList, async () => page),
  callCase(queryStoreChangeTrail, async (app) => ({ changeId: (await changed(app)).id }), { foreign: async () => ({ changeId: NONE }) }),
  callCase(
    auditStoreChange,
    async (app) => {
      const change = await changed(app);
      return { changeId: change.id, version: change.version, action: 'approve' as const };
    },
    { foreign: async () => ({ changeId: NONE, version: 1, action: 'approve' as const }) },
  ),
  callCase(
    cancelStoreChange,
    async (app) => {
      const change = await changed(app);
      return { changeId: change.id, version: change.version };
    },
    { foreign: async () => ({ changeId: NONE, version: 1 }) },
  ),
  callCase(
    changeDrugstoreState,
    async (app) => {
      const store = await openStore(app);
      return { id: store.id, version: store.version, action: 'suspend' as const, opinion: '装修停业' };
    },
    { foreign: async () => ({ id: NONE, version: 1, action: 'suspend' as const, opinion: '装修停业' }) },
  ),
  callCase(delDrugstore, async (app) => ({ id: (await makeStore(app)).id, version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(saveBusinessHours, async (app) => ({ storeIds: [(await makeStore(app)).id], weekHours: week })),
  callCase(saveStoreHolidays, async (app) => ({
    storeIds: [(await makeStore(app)).id],
    days: [{ day: '2027-02-06', spans: [], note: '春节' }],
  })),
  callCase(geocodeDrugstores, async (app) => ({ ids: [(await makeStore(app, { lngE6: null, latE6: null, locateSource: null })).id] })),
  callCase(saveStorePlace, async (app) => ({ id: (await makeStore(app)).id, version: 1, lngE6: 120_140_000, latE6: 30_260_000 }), {
    foreign: async () => ({ id: NONE, version: 1, lngE6: 120_140_000, latE6: 30_260_000 }),
  }),
  callCase(
    revealContact,
    async (app) => ({
      ownerType: 'DRUGSTORE' as const,
      ownerId: (await makeStore(app, { managerMobile: '13812345678' })).id,
      field: 'MOBILE' as const,
    }),
    { foreign: async () => ({ ownerType: 'DRUGSTORE' as const, ownerId: NONE, field: 'MOBILE' as const }) },
  ),

  callCase(saveLicence, async (app) => licenceInput(await makeStore(app), 'DRUG'), {
    foreign: async () => licenceInput({ id: NONE, name: '药店', uscc: freshUscc() }, 'DRUG'),
  }),
  callCase(queryLicenceExpireList, async () => page),
  callCase(remindLicence, async (app) => ({ ids: [(await expiringLicence(app)).id] })),
  callCase(queryChainList, async () => page),
  callCase(addChain, async () => ({ name: freshName('连锁'), uscc: freshUscc() })),
  callCase(modifyChain, async (app) => ({ id: (await makeChain(app)).id, version: 1, name: freshName('连锁'), uscc: freshUscc() }), {
    foreign: async () => ({ id: NONE, version: 1, name: '某某连锁', uscc: freshUscc() }),
  }),
  callCase(queryStoreGoodsList, async () => page),

  callCase(exportHospitalList, async (app) => ({ keyword: (await makeHospital(app)).name })),
  callCase(exportDuplicateHospital, async (app) => {
    const { name } = await makeHospital(app, { phone: '0571-80000001' });
    const twin = await makeHospital(app, { name: `${name}东院`, phone: '0571-80000001' });
    return { cityAdcode: twin.cityAdcode };
  }),
  callCase(exportHospitalAuditList, async (app) => ({ applyNo: (await makeApply(app)).applyNo })),
  callCase(exportStoreGoodsList, async (app) => {
    const { id } = await makeStore(app);
    const goodsCode = `GCASE${id}`;
    await sql`
      insert into institution_store_goods (
        store_id, goods_code, effective_from, medicine_id, goods_name, spec, price_fen, in_stock, stock_at, created_at, updated_at
      )
        values (
          ${id}, ${goodsCode}, '2026-11-01', '1', '阿司匹林肠溶片', '100mg*30片', 1250, true, ${app.clock.now()}, ${app.clock.now()},
          ${app.clock.now()}
        )`.execute(app.db);
    return { goodsCode };
  }),
  callCase(exportChainList, async (app) => {
    const name = freshName('连锁');
    await app.ok(addChain, { name, uscc: freshUscc() }, { as: await keeper(app) });
    return { name };
  }),
  callCase(exportStoreChangeList, async (app) => ({ name: (await changed(app)).ownerName })),
  callCase(exportMergeHospitalList, async (app) => ({ keyword: (await makeMerge(app)).mergeNo })),
  callCase(exportDrugstoreList, async (app) => ({ storeNo: (await makeStore(app)).storeNo })),
  callCase(exportLicenceList, async (app) => {
    await expiringLicence(app);
    return { within: 60 };
  }),
  callCase(importHospital, async (app, as) => ({
    fileId: await uploadRows(app, as!, hospitalImporter, [
      { name: freshName(), level: '三级甲等', province: '浙江省', city: '杭州市', district: '西湖区' },
    ]),
  })),
  callCase(importDepartment, async (app, as) => ({
    fileId: await uploadRows(app, as!, departmentImporter, [{ hospitalNo: (await makeHospital(app)).hospitalNo, name: '骨科' }]),
  })),
  callCase(importDrugstore, async (app, as) => ({
    fileId: await uploadRows(app, as!, storeImporter, [
      {
        name: freshName('药店'),
        storeTags: '单体药店',
        uscc: freshUscc(),
        province: '浙江省',
        city: '杭州市',
        district: '西湖区',
        address: '文一路9号',
      },
    ]),
  })),
  callCase(importStoreGoods, async (app, as) => ({
    fileId: await uploadRows(app, as!, storeGoodsImporter, [
      { storeNo: (await makeStore(app)).storeNo, goodsCode: 'G1', price: '12.50', inStock: '是', effectiveFrom: '2026-11-21' },
    ]),
  })),
];
