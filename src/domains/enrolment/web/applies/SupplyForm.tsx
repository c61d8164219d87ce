import { Form } from 'antd';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { materialTypes, type MaterialType } from '#domains/insurance/contract/businessLines.ts';
import type { ApplyDetail } from '../../contract/calls/applies.ts';
import { supplySignContract } from '../../contract/calls/appliesEntry.ts';
import { ENROL_MATERIAL } from '../../contract/purposes.ts';
import { materialsOf } from './materialsOf.ts';
import { applyRefreshes } from './useApplyActions.ts';

type Values = Partial<Record<MaterialType, readonly UploadedFile[]>>;

/** 补件提交: what was asked for, each by its kind. */
export function SupplyForm({ apply, onClose }: { apply: ApplyDetail; onClose(): void }) {
  const open = apply.supplements.find(({ state }) => state === 'OPEN');
  return (
    <FormDrawer<typeof supplySignContract, Values>
      open
      title="补件提交"
      call={supplySignContract}
      toInput={(values) => ({ applyId: apply.id, version: apply.version, materials: materialsOf(values) })}
      refreshes={applyRefreshes}
      success="message"
      onClose={onClose}
    >
      {(open?.items ?? []).map(({ materialType, wording }) => (
        <Form.Item key={materialType} name={materialType} label={materialTypes.label(materialType)} extra={wording}>
          <Upload purpose={ENROL_MATERIAL} max={30} />
        </Form.Item>
      ))}
    </FormDrawer>
  );
}
