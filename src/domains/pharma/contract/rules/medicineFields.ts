/** Chinese names of a medicine's fields, for differences, audits and refusals. */
export const medicineLabels = {
  genericName: '通用名', brandName: '商品名', englishName: '英文名', genericPinyin: '通用名拼音', brandPinyin: '商品名拼音', medicineKind: '商品大类',
  rxClass: '处方分类', dosageForm: '剂型', strength: '规格', approvalNo: '批准文号', approvalKind: '批准文号类别', approvalValidTo: '批准文号有效期至',
  baseCode: '药品本位码', nhsaCode: '国家医保药品代码', holderId: '上市许可持有人', makerId: '生产企业', importerId: '进口总代理', categoryId: '药品分类',
  atcCode: 'ATC编码', indications: '适应症', usageText: '用法用量', defaultDose: '默认用量', contraindication: '禁忌', adverseReaction: '不良反应',
  labelFileId: '说明书', imageFileIds: '图片', storage: '贮藏', lightproof: '避光', controlClass: '管制分类', taxCode: '税收编码', taxRateBp: '税率',
  taxScheme: '计税方式', sort: '排序',
} as const;

export type MedicineField = keyof typeof medicineLabels;

/** Facts of the licence and what follows from them: a medicine that is through its audit changes them by another audit. */
export const auditedFields: readonly MedicineField[] = [
  'genericName', 'brandName', 'medicineKind', 'approvalNo', 'approvalKind', 'approvalValidTo', 'dosageForm', 'strength', 'holderId', 'makerId', 'importerId', 'rxClass',
  'controlClass', 'storage', 'lightproof', 'taxCode', 'taxRateBp', 'taxScheme', 'indications',
];

/** What a submitted medicine must have. */
export const requiredFields: readonly MedicineField[] = [
  'genericName', 'medicineKind', 'rxClass', 'dosageForm', 'strength', 'approvalNo', 'approvalValidTo', 'holderId', 'makerId', 'categoryId', 'indications',
  'usageText', 'storage', 'taxCode', 'taxRateBp', 'taxScheme',
];
