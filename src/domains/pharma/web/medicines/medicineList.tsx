import { Tag } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { queryMedicineList, type MedicineRow } from '../../contract/calls/medicines.ts';
import { applyTypes, dosageForms } from '../../contract/dictionaries.ts';
import { provinces } from '../../contract/provinces.ts';
import { medicineMachine } from '../../contract/states.ts';
import { optionFilter } from '../shared/OptionSelect.tsx';
import '../pharma.css';
import { Dict } from '#kernel/web/kit/values.tsx';

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
    { name: 'keyword', placeholder: '名称/拼音/批准文号/条码/商品编码' },
    optionFilter('categoryId', 'CATEGORY'),
    optionFilter('companyId', 'COMPANY'),
    optionFilter('lineId', 'LINE'),
    'medicineKind',
    'rxClass',
    { kind: 'select', name: 'provinceAdcode', options: provinces.map(([value, label]) => ({ value, label })) },
    'reimburseClass',
    'coldChain',
    'priceFrom',
    'priceTo',
  ],
  columns: [
    'imageUrl',
    { key: 'medicineNo', width: 170, required: true },
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
    { key: 'approvalNo', width: 170 },
    { key: 'approvalValidTo', width: 130, hidden: true },
    { key: 'holderName', width: 110 },
    { key: 'categoryName', width: 130 },
    { key: 'rxClass', width: 130 },
    'reimburseClass',
    'coldChain',
    { key: 'skuCount', width: 80 },
    { key: 'price', title: '零售价（元）', width: 180, align: 'right', vital: true, value: priceRange },
    {
      key: 'tags',
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
    { key: 'lineName', width: 120 },
    {
      key: 'state',
      width: 150,
      render: (row) => (
        <span className="ph-tags">
          <Dict of={medicineMachine.dictionary} code={row.state} />
          {row.pendingApply && row.state !== 'PENDING' && (
            <span className="kq-dict kq-dict-warning">{applyTypes.label(row.pendingApply)}待审</span>
          )}
        </span>
      ),
    },
    { key: 'updatedAt', hidden: true },
  ],
});
