import { Form, Input, Select, Switch } from 'antd';
import { useEffect } from 'react';
import type { Instant } from '#kernel/contract/time.ts';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import {
  addRealNameSwitch,
  modifyRealNameSwitch,
  queryRealNameSwitchList,
  resolveRealNameSwitch,
  type RealNameSwitch,
} from '../../contract/calls/realName.ts';
import {
  lockedScenes,
  switchScenes,
  switchScopes,
  type MinMethod,
  type SwitchScene,
  type SwitchScope,
} from '../../contract/dictionaries.ts';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { methodOptions } from './GlobalSwitches.tsx';
import { ScopePicker } from './scopePicker.tsx';

interface Values {
  scopeId: string;
  scopeName?: string;
  scene: SwitchScene;
  required: boolean;
  minMethod: MinMethod;
  effectiveFrom?: Instant | null;
  reason: string;
}

/** 新增/编辑 of one exception. */
export function SwitchForm({ scope, row, onClose }: { scope: Exclude<SwitchScope, 'GLOBAL'>; row?: RealNameSwitch; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const scene = Form.useWatch('scene', form);
  const required = Form.useWatch('required', form);
  const itemId = Form.useWatch('scopeId', form) ?? row?.scopeId;
  const byItem = scope === 'SERVICE_ITEM' && Boolean(itemId) && scene !== undefined;
  // Only the server knows what an item is by its nature.
  const { data: found } = useData(
    resolveRealNameSwitch,
    { scene: scene ?? 'CONSULT', itemId: itemId ?? '0' },
    { quiet: true, enabled: byItem },
  );
  const lockedBy = scene === undefined ? null : lockedScenes.includes(scene) ? 'LAW' : byItem ? (found?.lockedBy ?? null) : null;
  const locked = lockedBy !== null;
  useEffect(() => {
    if (locked) form.setFieldValue('required', true);
  }, [locked, form]);
  const name = switchScopes.label(scope);
  const shared = {
    open: true,
    form,
    success: SERVER_MESSAGE,
    refreshes: [queryRealNameSwitchList, resolveRealNameSwitch],
    onClose,
    initial: row ? { ...row, reason: '' } : { required: true, minMethod: 'ID2' as const },
  };
  const fields = (
    <>
      {row ? (
        <UnboundField label={name}>
          <Input disabled value={row.scopeName || row.scopeId} />
        </UnboundField>
      ) : (
        <Field of={addRealNameSwitch} name="scopeId" label={name} required>
          <ScopePicker scope={scope} onName={(chosen) => form.setFieldValue('scopeName', chosen)} />
        </Field>
      )}
      <Field of={addRealNameSwitch} name="scopeName" label={false} hidden />
      <Field of={addRealNameSwitch} name="scene">
        <Select disabled={row !== undefined} options={switchScenes.options.map(({ value, label }) => ({ value, label }))} />
      </Field>
      <Field
        of={addRealNameSwitch}
        name="required"
        label="须实名"
        extra={lockedBy === 'LAW' ? '依法须实名' : lockedBy === 'FLOOR' ? '该项目为诊疗服务，发起咨询须二要素或更严格的实名' : undefined}
      >
        <Switch disabled={locked} />
      </Field>
      <Field of={addRealNameSwitch} name="minMethod" label="最低方式">
        <Select disabled={required === false} options={methodOptions} />
      </Field>
      <Field of={addRealNameSwitch} name="effectiveFrom">
        <InstantInput placeholder="不填为立即生效" />
      </Field>
      <Field of={addRealNameSwitch} name="reason">
        <Input.TextArea rows={3} showCount />
      </Field>
    </>
  );
  const common = (values: Values) => ({
    required: values.required,
    minMethod: values.minMethod,
    effectiveFrom: values.effectiveFrom ?? undefined,
    reason: values.reason,
  });
  return row ? (
    <FormDrawer<typeof modifyRealNameSwitch, Values>
      {...shared}
      title="编辑实名开关"
      call={modifyRealNameSwitch}
      recordKey={row.id}
      toInput={(values) => ({ id: row.id, version: row.version, ...common(values) })}
    >
      {fields}
    </FormDrawer>
  ) : (
    <FormDrawer<typeof addRealNameSwitch, Values>
      {...shared}
      title="新增实名开关"
      call={addRealNameSwitch}
      toInput={(values) => ({
        scopeType: scope,
        scopeId: values.scopeId,
        scopeName: values.scopeName ?? '',
        scene: values.scene,
        ...common(values),
      })}
    >
      {fields}
    </FormDrawer>
  );
}
