import { Form, Input, Radio, Select } from 'antd';
import { lazy, Suspense } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { ChannelPicker, DiseasePicker, DoctorPicker, ServiceItemPicker } from '#kernel/web/kit/pickers.tsx';
import {
  addWelcomeMessage,
  modifyWelcomeMessage,
  queryWelcomeMessageDetail,
  queryWelcomeMessageList,
  type WelcomeRow,
} from '../../contract/welcome/calls.ts';
import {
  autoKind,
  type AutoKind,
  autoScope,
  type AutoScope,
  autoTrigger,
  type AutoTrigger,
  quietMode,
  scopesOf,
  triggersOf,
} from '../../contract/welcome/dictionaries.ts';
import { MOST_MESSAGES } from '../../contract/welcome/errors.ts';
import { MaterialPicker } from '../materials/lazyPicker.tsx';
import '../materials/materials.css';

const pickers = { CHANNEL: ChannelPicker, DOCTOR: DoctorPicker, SERVICE_ITEM: ServiceItemPicker, DISEASE: DiseasePicker } as const;

/** The channel, doctor, item or disease that a scope names. */
function ScopeObject({ scopeType }: { scopeType: AutoScope }) {
  if (scopeType === 'DEFAULT') return null;
  const Picker = pickers[scopeType];
  return (
    <Field of={addWelcomeMessage} name="scopeId" label={autoScope.label(scopeType)} required>
      <Picker placeholder={`请选择${autoScope.label(scopeType)}`} />
    </Field>
  );
}

const MessagePreview = lazy(() => import('./MessagePreview.tsx'));

interface Values {
  name: string;
  triggerType: AutoTrigger;
  scopeType: AutoScope;
  scopeId?: string | null;
  materialIds: string[];
  delaySec: number;
  quietMode: (typeof quietMode.codes)[number];
  smsText?: string | null;
  validFrom?: string | null;
  validTo?: string | null;
}

const WIDTH = 920;
const NAME_MAX = 32;
const COPY = '-副本';

interface MessageFormProps {
  kind: AutoKind;
  /** Null: an empty one. */
  row: WelcomeRow | null;
  /** The row is what a new one begins with. */
  copy?: boolean;
  onClose(): void;
}

/** Drawer 新增/编辑/复制: when, to whom, what; beside it what the patient will see. */
export default function MessageForm({ kind, row, copy = false, onClose }: MessageFormProps) {
  const [form] = Form.useForm<Values>();
  const watched = Form.useWatch([], form) as Partial<Values> | undefined;
  const isNotice = kind === 'NOTICE';
  const body = (
    <div className="kq-mat-split">
      <div>
        <Field of={addWelcomeMessage} name="name" />
        <Field of={addWelcomeMessage} name="triggerType">
          <Select placeholder="请选择触发时机" options={triggersOf(kind).map((value) => ({ value, label: autoTrigger.label(value) }))} />
        </Field>
        <Field of={addWelcomeMessage} name="scopeType">
          <Radio.Group
            options={scopesOf(kind).map((value) => ({ value, label: autoScope.label(value) }))}
            onChange={() => form.setFieldValue('scopeId', null)}
          />
        </Field>
        <ScopeObject scopeType={watched?.scopeType ?? row?.scopeType ?? 'DEFAULT'} />
        <Field of={addWelcomeMessage} name="materialIds" extra={`按顺序发送，最多${MOST_MESSAGES}条`}>
          <MaterialPicker max={MOST_MESSAGES} diseaseId={null} />
        </Field>
        <Field of={addWelcomeMessage} name="delaySec" />
        <Field of={addWelcomeMessage} name="quietMode">
          <Radio.Group options={quietMode.options.map(({ value, label }) => ({ value, label }))} />
        </Field>
        {isNotice && (
          <Field of={addWelcomeMessage} name="smsText" extra="患者没有单聊会话时发送，可使用变量，如 {{患者称呼:您}}">
            <Input.TextArea rows={2} showCount placeholder="不填则不发送短信" />
          </Field>
        )}
        <Field of={addWelcomeMessage} name="validFrom" />
        <Field of={addWelcomeMessage} name="validTo" extra="不填表示长期有效" />
      </div>
      <Suspense>
        <MessagePreview materialIds={watched?.materialIds ?? []} smsText={isNotice ? (watched?.smsText ?? null) : null} />
      </Suspense>
    </div>
  );
  const shared = {
    open: true,
    width: WIDTH,
    form,
    refreshes: [queryWelcomeMessageList, queryWelcomeMessageDetail],
    success: SERVER_MESSAGE,
    onClose,
  } as const;
  const fields = ({ scopeId, smsText, validFrom, validTo, ...values }: Values) => ({
    ...values,
    scopeId: values.scopeType === 'DEFAULT' ? null : (scopeId ?? null),
    smsText: (isNotice && smsText) || null,
    validFrom: validFrom ?? null,
    validTo: validTo ?? null,
  });
  const initial: Partial<Values> = row
    ? {
        name: copy ? `${row.name.slice(0, NAME_MAX - COPY.length)}${COPY}` : row.name,
        triggerType: row.triggerType,
        scopeType: row.scopeType,
        scopeId: row.scopeId,
        materialIds: row.materialIds,
        delaySec: row.delaySec,
        quietMode: row.quietMode,
        smsText: row.smsText,
        validFrom: row.validFrom,
        validTo: row.validTo,
      }
    : { scopeType: 'DEFAULT', materialIds: [], delaySec: 0, quietMode: isNotice ? 'WINDOW' : 'IMMEDIATE' };
  return row && !copy ? (
    <FormDrawer<typeof modifyWelcomeMessage, Values>
      {...shared}
      title={`编辑${autoKind.label(kind)}：${row.name}`}
      call={modifyWelcomeMessage}
      recordKey={row.id}
      initial={initial}
      toInput={(values) => ({ id: row.id, version: row.version, ...fields(values) })}
    >
      {body}
    </FormDrawer>
  ) : (
    <FormDrawer<typeof addWelcomeMessage, Values>
      {...shared}
      title={`${copy ? '复制' : '新增'}${autoKind.label(kind)}`}
      call={addWelcomeMessage}
      initial={initial}
      toInput={(values) => ({ kind, ...fields(values) })}
    >
      {body}
    </FormDrawer>
  );
}
