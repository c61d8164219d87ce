import { StaffPicker, type PickerProps } from '#kernel/web/kit/pickers.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { productPermissions } from '../../contract/permissions.ts';
import { queryProductList } from '../../contract/products/listCalls.ts';
import { optionFilter } from '../shared/OptionSelect.tsx';

/** Product managers: whoever may edit products. */
const ManagerFilter = (props: PickerProps<string>) => <StaffPicker {...props} permission={productPermissions['product.edit']} />;

/** List of products: columns and filters. */
export const productList = resource(queryProductList, {
  routeKey: 'productHome',
  empty: '没有符合条件的产品，请调整筛选条件或点击“新增产品”',
  filters: [
    'productCode',
    'productName',
    optionFilter('insurerId', 'INSURER'),
    'productLine',
    'productType',
    'status',
    { kind: 'region', name: 'adcode' },
    { kind: 'picker', name: 'ownerUserId', picker: ManagerFilter },
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
