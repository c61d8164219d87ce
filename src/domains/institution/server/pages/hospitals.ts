import type { BuiltinPage } from '#kernel/server/datasets/dataset.ts';
import { actionForm, choice, choices, listPage, rowDrawer, rowForm } from '#kernel/server/datasets/pageParts.ts';
import { hospitalKinds, hospitalLevels, hospitalSources, ownerships, qualityIssues } from '../../contract/dictionaries.ts';
import { hospitalMachine } from '../../contract/states.ts';

const details = rowDrawer('详情', {
  title: '${name}',
  size: 'md',
  closeOnOutside: true,
  body: {
    type: 'property',
    column: 2,
    items: [
      { label: '医院编号', content: '${hospitalNo}' },
      { label: '等级', content: '${levelText}' },
      { label: '类型', content: '${kindText}' },
      { label: '性质', content: '${ownershipText}' },
      { label: '地区', content: '${region}' },
      { label: '地址', content: '${address}' },
      { label: '电话', content: '${phone}' },
      { label: '官网', content: '${website}' },
      { label: '统一社会信用代码', content: '${uscc}' },
      { label: '许可证号', content: '${licenceNo}' },
      { label: '医保编码', content: '${nhsaCode}' },
      { label: '来源', content: '${sourceText}' },
      { label: '简介', content: '${introduction}', span: 2 },
    ],
  },
});

const contact = rowForm(
  'contact',
  '修改联系方式',
  '修改联系方式',
  actionForm(
    'institution.hospital',
    'contact',
    { key: '${id}', version: '${version}', phone: '${phone}', website: '${website}', introduction: '${introduction}' },
    'hospitals',
    [
      { type: 'static', name: 'name', label: '医院' },
      { type: 'input-text', name: 'phone', label: '电话', maxLength: 40, placeholder: '0571-87065701' },
      { type: 'input-text', name: 'website', label: '官网', maxLength: 200, placeholder: 'https://' },
      { type: 'textarea', name: 'introduction', label: '简介', maxLength: 2000, showCounter: true, minRows: 4 },
    ],
  ),
);

/** /tHospital 医院数据: the hospitals of insurance's system configuration. */
export const hospitalPage: BuiltinPage = {
  token: 'tHospital',
  description: '医院主数据查询，可修改电话、官网和简介',
  definition: listPage({
    name: 'hospitals',
    dataset: 'institution.hospital',
    placeholder: '没有符合条件的医院',
    search: [
      [
        { type: 'input-text', name: 'keyword', label: '关键字', placeholder: '名称、别名或拼音首字母', clearable: true },
        { type: 'input-text', name: 'hospitalNo', label: '医院编号', clearable: true },
        choices('level', '等级', hospitalLevels),
        choices('kind', '类型', hospitalKinds),
      ],
      [
        choice('ownership', '性质', ownerships),
        choices('state', '状态', hospitalMachine.dictionary),
        choices('issue', '质量问题', qualityIssues),
        choice('source', '来源', hospitalSources),
      ],
      [
        { type: 'input-text', name: 'uscc', label: '信用代码', clearable: true },
        { type: 'input-date-range', name: 'updated', label: '更新时间', valueFormat: 'YYYY-MM-DD', clearable: true },
      ],
    ],
    columns: [
      { name: 'hospitalNo', label: '医院编号', width: 160, sortable: true, fixed: 'left' },
      { name: 'name', label: '医院名称', width: 240, sortable: true, fixed: 'left' },
      { name: 'levelText', label: '等级', width: 90 },
      { name: 'stateText', label: '状态', width: 80, type: 'tag', color: "${state == 'ENABLED' ? 'success' : 'inactive'}" },
      { name: 'doctorCount', label: '医生数', width: 80, align: 'right', sortable: true },
      { name: 'qualityScoreBpText', label: '数据质量', width: 90, align: 'right', sortable: true },
      { name: 'kindText', label: '类型', width: 110 },
      { name: 'ownershipText', label: '性质', width: 80 },
      { name: 'region', label: '地区', width: 180 },
      { name: 'address', label: '地址', width: 220, toggled: false },
      { name: 'phone', label: '电话', width: 130 },
      { name: 'website', label: '官网', width: 180, toggled: false },
      { name: 'uscc', label: '统一社会信用代码', width: 180 },
      { name: 'licenceNo', label: '许可证号', width: 190, toggled: false },
      { name: 'licenceValidToText', label: '许可证有效期', width: 110, toggled: false },
      { name: 'nhsaCode', label: '医保编码', width: 130 },
      { name: 'parentName', label: '所属主院', width: 200, toggled: false },
      { name: 'departmentCount', label: '科室数', width: 80, align: 'right' },
      { name: 'qualityIssuesText', label: '质量问题', width: 180 },
      { name: 'sourceText', label: '来源', width: 100, toggled: false },
      { name: 'updatedAtText', label: '更新时间', width: 160, sortable: true },
    ],
    row: { width: 170, buttons: [details, contact] },
  }),
};
