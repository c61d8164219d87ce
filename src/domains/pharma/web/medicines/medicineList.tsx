import { Tag } from 'antd';
import { yuan } from '../../../../kernel/contract/money.ts';
import { NOTHING } from '../../../../kernel/web/kit/values.tsx';
import { resource } from '../../../../kernel/web/list/ResourceList.tsx';
import { queryMedicineList, type MedicineRow } from '../../contract/calls/medicines.ts';
import { applyTypes, dosageForms, medicineKinds, reimburseClasses, rxClasses } from '../../contract/dictionaries.ts';
import { provinces } from '../../contract/provinces.ts';
import { medicineMachine } from '../../contract/states.ts';
import { medicineLabels } from '../../contract/rules/medicineFields.ts';
import { optionFilter } from '../shared/OptionSelect.tsx';
import '../pharma.css';

const priceRange = (row: MedicineRow) =>
  row.priceMinFen === null || row.priceMaxFen === null
    ? NOTHING
    : row.priceMinFen === row.priceMaxFen
      ? yuan(row.priceMinFen, true)
      : `${yuan(row.priceMinFen, true)} – ${yuan(row.priceMaxFen, true)}`;

/** List of medicines: columns and filters; the state comes from the tab. */
export const medicineList = resource(queryMedicineList, {
  routeKey: 'medicineManagementTable',
  empty: '没有符合条件的药品，请调整筛选条件或点击“新增药品”',
  filters: [
    { kind: 'text', name: 'keyword', label: '关键字', placeholder: '名称/拼音/批准文号/条码/商品编码', maxLength: 60 },
    optionFilter('categoryId', '分类', 'CATEGORY'),
    optionFilter('companyId', '药企', 'COMPANY'),
    optionFilter('lineId', '产品线', 'LINE'),
    { kind: 'dict', name: 'medicineKind', label: '商品大类', dictionary: medicineKinds, several: true },
    { kind: 'dict', name: 'rxClass', label: '处方分类', dictionary: rxClasses, several: true },
    { kind: 'select', name: 'provinceAdcode', label: '医保省份', options: provinces.map(([value, label]) => ({ value, label })) },
    { kind: 'dict', name: 'reimburseClass', label: '医保类别', dictionary: reimburseClasses },
    { kind: 'flag', name: 'coldChain', label: '冷链' },
    { kind: 'money', name: 'priceFrom', label: '零售价从' },
    { kind: 'money', name: 'priceTo', label: '零售价至' },
  ],
  columns: [
    { key: 'imageUrl', title: '图片', kind: 'image', width: 64 },
    { key: 'medicineNo', title: '药品编号', width: 170, required: true },
    {
      key: 'genericName',
      title: '通用名/商品名',
      kind: 'custom',
      width: 220,
      required: true,
      render: (row) => (
        <span title={`${row.genericName}${row.brandName ? `（${row.brandName}）` : ''}`}>
          {row.genericName} {row.brandName && <span className="kq-muted">{row.brandName}</span>}
        </span>
      ),
    },
    {
      key: 'strength',
      title: '规格·剂型',
      width: 150,
      value: (row) => [row.strength, row.dosageForm && dosageForms.label(row.dosageForm)].filter(Boolean).join(' · '),
    },
    { key: 'approvalNo', title: medicineLabels.approvalNo, width: 170 },
    { key: 'approvalValidTo', title: '文号有效期', kind: 'day', hidden: true },
    { key: 'holderName', title: '持有人', width: 110 },
    { key: 'categoryName', title: '分类', width: 130 },
    { key: 'rxClass', title: medicineLabels.rxClass, kind: 'dict', dictionary: rxClasses, width: 130 },
    { key: 'reimburseClass', title: '医保类别', kind: 'dict', dictionary: reimburseClasses },
    { key: 'coldChain', title: '冷链', kind: 'flag' },
    { key: 'skuCount', title: '商品数', kind: 'number', width: 80 },
    { key: 'price', title: '零售价（元）', width: 160, align: 'right', value: priceRange },
    {
      key: 'tags',
      title: '促销标签',
      kind: 'custom',
      width: 140,
      hidden: true,
      render: (row) => (
        <span className="ph-tags">
          {row.tags.map((tag) => (
            <Tag key={tag.tagId} {...(tag.colour && { color: tag.colour })}>
              {tag.name}
            </Tag>
          ))}
        </span>
      ),
    },
    { key: 'lineName', title: '产品线', width: 120 },
    {
      key: 'state',
      title: '状态',
      kind: 'custom',
      width: 150,
      render: (row) => (
        <span className="ph-tags">
          <Tag color={medicineMachine.dictionary.tone(row.state)}>{medicineMachine.dictionary.label(row.state)}</Tag>
          {row.pendingApply && row.state !== 'PENDING' && <Tag color="warning">{applyTypes.label(row.pendingApply)}待审</Tag>}
        </span>
      ),
    },
    { key: 'updatedAt', title: '更新时间', kind: 'time', hidden: true },
  ],
});
