import { Select } from 'antd';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { NoChoices } from '../../../../kernel/web/kit/NoChoices.tsx';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { resource } from '../../../../kernel/web/list/ResourceList.tsx';
import { queryChecker } from '../../../identity/contract/calls/users.ts';
import { productPermissions } from '../../contract/permissions.ts';
import { queryProductList } from '../../contract/products/listCalls.ts';
import { optionFilter } from '../shared/OptionSelect.tsx';

interface ManagerProps extends PickerProps<string> {
  /** The present one, who may no longer be among the choices. */
  known?: { value: string; label: string } | undefined;
}

/** Product managers: whoever may edit products. */
export function ManagerSelect({ known, value, onChange, placeholder = '请选择', ...rest }: ManagerProps) {
  const found = useData(queryChecker, { permission: productPermissions['product.edit'].code }, { fresh: 60_000, quiet: true });
  const choices = (found.data ?? []).map(({ userId, displayName, opNo }) => ({ value: userId, label: `${displayName}（${opNo}）` }));
  const options = known && !choices.some((one) => one.value === known.value) ? [known, ...choices] : choices;
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={found.fetching}
      notFoundContent={<NoChoices of={found} none="没有符合的员工" />}
      value={value ?? null}
      options={options}
      placeholder={placeholder}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

/** List of products: columns and filters. */
export const productList = resource(queryProductList, {
  routeKey: 'productHome',
  empty: '没有符合条件的产品，请调整筛选条件或点击“新增产品”',
  filters: [
    'productCode',
    'productName',
    optionFilter('insurerId', '保司', 'INSURER'),
    'productLine',
    'productType',
    'status',
    { kind: 'region', name: 'adcode', label: '销售地区' },
    { kind: 'picker', name: 'ownerUserId', label: '产品经理', picker: ManagerSelect },
    'versionState',
  ],
  columns: [
    { key: 'productCode', required: true },
    { key: 'productName', required: true },
    { key: 'productLine', plain: true },
    { key: 'productType', plain: true },
    'payerName',
    'current',
    'next',
    'linkCount',
    'policyCount',
    { key: 'ownerName', hidden: true },
    'status',
    'updatedByName',
    'updatedAt',
  ],
});
