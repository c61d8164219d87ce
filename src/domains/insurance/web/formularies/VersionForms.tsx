import { Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import {
  addFormularyVersion,
  modifyFormularyVersion,
  queryFormularyDetail,
  queryFormularyList,
  type FormularyVersionSeen,
} from '../../contract/formulary/calls.ts';
import { documentPhases } from '../../contract/documents/states.ts';

const refreshes = [queryFormularyDetail, queryFormularyList];
interface OfVersion {
  version: FormularyVersionSeen;
  onClose(): void;
}

interface NewProps {
  formularyId: string;
  versions: readonly FormularyVersionSeen[];
  onClose(): void;
  onMade(versionId: string): void;
}
export function NewFormularyVersion({ formularyId, versions, onClose, onMade }: NewProps) {
  type Values = Omit<InputOf<typeof addFormularyVersion>, 'formularyId'>;
  return (
    <FormDialog<typeof addFormularyVersion, Values>
      open
      title="新建目录版本"
      width={520}
      call={addFormularyVersion}
      initial={versions[0] ? { copyFrom: versions[0].id } : {}}
      toInput={({ copyFrom, effectiveFrom }) => ({ formularyId, effectiveFrom, ...(copyFrom && { copyFrom }) })}
      refreshes={refreshes}
      success="新增成功!"
      onClose={onClose}
      onDone={({ data }) => onMade(data.formularyVersionId)}
    >
      <Field of={addFormularyVersion} name="copyFrom" extra="复制全部药品；不选则从空白开始">
        <Select
          allowClear
          placeholder="空白版本"
          options={versions.map((one) => ({
            value: one.id,
            label: `V${one.versionNo} ${documentPhases.label(one.phase)}（${one.lineCount}行）`,
          }))}
        />
      </Field>
      <Field of={addFormularyVersion} name="effectiveFrom" />
    </FormDialog>
  );
}

export function EditFormularyVersion({ version, onClose }: OfVersion) {
  type Values = Omit<InputOf<typeof modifyFormularyVersion>, 'formularyVersionId' | 'version'>;
  const { id, effectiveFrom, effectiveTo, gapNote } = version;
  return (
    <FormDialog<typeof modifyFormularyVersion, Values>
      open
      title={`生效期 V${version.versionNo}`}
      width={480}
      call={modifyFormularyVersion}
      recordKey={id}
      initial={{ effectiveFrom, effectiveTo, gapNote }}
      toInput={(values) => ({ ...values, effectiveTo: values.effectiveTo ?? null, formularyVersionId: id, version: version.version })}
      labels={{ effectiveFrom: '生效日', effectiveTo: '失效日', gapNote: '停售说明' }}
      valuesOf={(current) => ({ ...current })}
      refreshes={refreshes}
      success="修改成功!"
      onClose={onClose}
    >
      <Field of={modifyFormularyVersion} name="effectiveFrom" />
      <Field of={modifyFormularyVersion} name="effectiveTo" placeholder="长期" />
      <Field of={modifyFormularyVersion} name="gapNote" />
    </FormDialog>
  );
}
