import { Form, Skeleton } from 'antd';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { materialTypes, type MaterialType } from '#domains/insurance/contract/businessLines.ts';
import { queryOtherMaterialDetail, supplyOtherMaterial } from '../../contract/calls/otherMaterials.ts';
import { OTHER_MATERIAL_PAPER } from '../../contract/purposes.ts';
import { materialReads } from './useMaterialActions.ts';

type Values = Partial<Record<MaterialType, readonly UploadedFile[]>>;

/** 补件提交: files for what was asked for. */
export function SupplyForm({ materialId, onClose }: { materialId: string; onClose(): void }) {
  const { data } = useData(queryOtherMaterialDetail, { materialId }, { quiet: true });
  if (!data) return <Skeleton active />;
  const items = data.supplements.find(({ state }) => state === 'OPEN')?.items ?? [];
  return (
    <FormDrawer<typeof supplyOtherMaterial, Values>
      open
      title={`补件提交 ${data.materialNo}`}
      call={supplyOtherMaterial}
      recordKey={materialId}
      toInput={(values) => ({
        materialId,
        version: data.version,
        materials: items.flatMap(({ materialType }) => (values[materialType] ?? []).map(({ fileId }) => ({ materialType, fileId }))),
      })}
      refreshes={materialReads}
      success="提交成功!"
      onClose={onClose}
    >
      {items.map(({ materialType, wording }) => (
        <Form.Item key={materialType} name={materialType} label={materialTypes.label(materialType)} extra={wording}>
          <Upload purpose={OTHER_MATERIAL_PAPER} max={10} />
        </Form.Item>
      ))}
    </FormDrawer>
  );
}
