import { Select } from 'antd';
import type { PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { resource } from '../../../../kernel/web/list/ResourceList.tsx';
import { queryMaterialList } from '../../contract/materials/calls.ts';
import { useMenuDiseases } from '../menuDiseases.ts';

function DiseasePick({ value, onChange }: PickerProps<string>) {
  const { data } = useMenuDiseases();
  return (
    <Select
      allowClear
      placeholder="请选择病种"
      showSearch={{ optionFilterProp: 'label' }}
      value={value ?? null}
      options={(data?.rows ?? []).map(({ id, diseaseName }) => ({ value: id, label: diseaseName }))}
      onChange={(next: string | null) => onChange?.(next)}
    />
  );
}

/** List of materials; the folder stands beside it. */
export const materialList = resource(queryMaterialList, {
  routeKey: 'corpus:material',
  empty: '没有符合条件的素材，请调整筛选条件或点击“新增素材”',
  filters: ['keyword', 'type', 'state', { kind: 'picker', name: 'diseaseId', picker: DiseasePick }, 'tag'],
  columns: [
    'title',
    'materialType',
    'summary',
    'folderName',
    'diseaseNames',
    'tags',
    'usageCount',
    'state',
    'editState',
    'updatedAt',
    'materialNo',
    'updatedByName',
  ],
});
