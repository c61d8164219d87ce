import { Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { addControlModule, modifyControlModule, queryControlModuleList, type ControlModuleRow } from '../../contract/controls/modules.ts';
import { controlPermissions as may } from '../../contract/permissions.ts';
import { queryProductOptions } from '../../contract/products/options.ts';
import { StaffPicker } from '#kernel/web/kit/pickers.tsx';

const refreshes = [queryControlModuleList];

/** Insurers or products by their names; nothing chosen means all. */
function Choices({ type, ...rest }: { type: 'INSURER' | 'PRODUCT'; value?: string[]; onChange?(ids: string[]): void; id?: string }) {
  const found = useData(queryProductOptions, { type }, { fresh: 60_000, quiet: true });
  return (
    <Select<string[]>
      {...rest}
      mode="multiple"
      optionFilterProp="label"
      placeholder="不选表示全部"
      notFoundContent={<NoChoices of={found} />}
      options={(found.data ?? []).map(({ value, label }) => ({ value, label }))}
    />
  );
}

function Facts({
  of,
  owner,
}: {
  of: typeof addControlModule | typeof modifyControlModule;
  owner?: { value: string; label: string } | undefined;
}) {
  return (
    <>
      <Field of={of} name="moduleName" />
      <Field of={of} name="insurerIds">
        <Choices type="INSURER" />
      </Field>
      <Field of={of} name="productLines" placeholder="不选表示全部" />
      <Field of={of} name="productIds">
        <Choices type="PRODUCT" />
      </Field>
      <Field of={of} name="observeOnly" extra="打开后模块内所有规则只记录命中，不影响任何结果" />
      <Field of={of} name="ownerUserId">
        <StaffPicker permission={may['control.edit']} known={owner} />
      </Field>
      <Field of={of} name="remark" />
    </>
  );
}

export function NewModule({ onClose }: { onClose(): void }) {
  return (
    <FormDrawer<typeof addControlModule, InputOf<typeof addControlModule>>
      open
      title="新增控费模块"
      width={560}
      call={addControlModule}
      initial={{ stage: 'CLAIM', observeOnly: false, insurerIds: [], productLines: [], productIds: [] }}
      toInput={(values) => ({ ...values, ownerUserId: values.ownerUserId ?? null })}
      refreshes={refreshes}
      success="新增成功!"
      onClose={onClose}
    >
      <Field of={addControlModule} name="moduleCode" placeholder="如 YLKZ" />
      <Field of={addControlModule} name="stage" extra="保存后不能修改" />
      <Facts of={addControlModule} />
    </FormDrawer>
  );
}

export function EditModule({ row, onClose }: { row: ControlModuleRow; onClose(): void }) {
  const { id, version, moduleName, insurerIds, productLines, productIds, observeOnly, ownerUserId, remark } = row;
  return (
    <FormDrawer<typeof modifyControlModule, InputOf<typeof modifyControlModule>>
      open
      title={`编辑控费模块 ${row.moduleCode}`}
      width={560}
      call={modifyControlModule}
      recordKey={id}
      initial={{ moduleName, insurerIds, productLines, productIds, observeOnly, ownerUserId, remark }}
      toInput={(values) => ({ ...values, ownerUserId: values.ownerUserId ?? null, id, version })}
      refreshes={refreshes}
      success="保存成功!"
      onClose={onClose}
    >
      <Facts of={modifyControlModule} owner={ownerUserId ? { value: ownerUserId, label: row.ownerName ?? '（已离职）' } : undefined} />
    </FormDrawer>
  );
}
