/** Chinese names of the fields of records: for timelines, exports, imports and forms alike. */
export const companyLabels = {
  name: '药企名称',
  shortName: '简称',
  roles: '角色',
  country: '国家或地区',
  uscc: '统一社会信用代码',
  contactName: '联系人',
  contactMobile: '手机号',
  contactEmail: '邮箱',
  address: '地址',
  pvContact: '药物警戒联系人',
  licenceFileIds: '资质文件',
  licenceValidTo: '资质有效期',
  logoFileId: '企业标识',
} as const;

export const lineLabels = {
  name: '产品线名称',
  therapyArea: '治疗领域',
  diseases: '病种',
  startDate: '合作开始',
  endDate: '合作结束',
  ownerName: '商务负责人',
  agreementFileIds: '协议',
  remark: '备注',
} as const;

export const agentLabels = {
  name: '姓名',
  mobile: '手机号',
  idNo: '身份证号',
  email: '邮箱',
  companyAgentCode: '药企内部工号',
  rank: '职级',
  lines: '产品线',
  regionNames: '区域',
  hospitalIds: '服务医院',
  filingNo: '备案号',
  filingValidTo: '备案有效期',
  joinedOn: '入职日期',
  parentName: '上级',
} as const;

export const skuLabels = {
  barcode: '条形码',
  packSpec: '包装规格',
  packUnits: '包装数量',
  unit: '单位',
  minQty: '起售数量',
  maxQtyPerOrder: '单笔限购',
  weightG: '重量(g)',
  lengthMm: '长(mm)',
  widthMm: '宽(mm)',
  heightMm: '高(mm)',
  traceable: '追溯码',
  saleable: '可销售',
} as const;
