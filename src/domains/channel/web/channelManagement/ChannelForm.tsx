import { Form, Input, Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { allOf } from '#kernel/contract/field.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { RegionPicker } from '#kernel/web/kit/pickers.tsx';
import {
  addChannel,
  channelFieldKeys,
  channelLabels,
  modifyChannel,
  queryChannelList,
  queryChannelTree,
  type ChannelRow,
} from '../../contract/calls/channels.ts';
import { channelTypes, ownerless, type ChannelType } from '../../contract/dictionaries.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { RefSelect } from '../shared/RefSelect.tsx';

type Values = Omit<InputOf<typeof addChannel>, 'costFen'> & { costFen?: number | null };

interface ChannelFormProps {
  channel: ChannelRow | null;
  /** A new one below this. */
  parent: ChannelRow | null;
  onClose(): void;
}

const refreshes = [queryChannelList, queryChannelTree];
/** A hospital or company that is known here goes in by its id; others are named only. */
const fieldsOf = (channel: ChannelRow | null, { parentId: _parent, channelType, ...values }: Values) => ({
  ...values,
  ownerName: values.ownerName?.trim() || null,
  costFen: values.costFen ?? 0,
  companyId: channelType === 'COMPANY' ? (values.ownerId ?? channel?.companyId ?? null) : (channel?.companyId ?? null),
  productLineId: channel?.productLineId ?? null,
});

const valuesOf = (channel: ChannelRow): Partial<Values> => ({
  ...allOf(channel, channelFieldKeys),
  channelType: channel.channelType,
  parentId: channel.parentId,
  costFen: Number(channel.costFen),
});

/** Drawer 新增/编辑渠道. */
export function ChannelForm({ channel, parent, onClose }: ChannelFormProps) {
  const [form] = Form.useForm<Values>();
  const type = (Form.useWatch('channelType', form) as ChannelType | undefined) ?? channel?.channelType ?? parent?.channelType;
  const initial: Partial<Values> = channel
    ? valuesOf(channel)
    : {
        parentId: parent?.id ?? null,
        ...(parent && {
          channelType: parent.channelType,
          adcode: parent.adcode,
          ownerName: parent.ownerName,
          ownerId: parent.ownerId,
          agentId: parent.agentId,
        }),
        startDate: todayHere(),
        costFen: 0,
      };
  const ownerId = Form.useWatch('ownerId', form) as string | null | undefined;
  const ownerName = Form.useWatch('ownerName', form) as string | null | undefined;
  const known = type === 'HOSPITAL' || type === 'COMPANY' ? type : null;
  const shared = { open: true, onClose, refreshes, form, initial, labels: channelLabels } as const;
  const fields = (
    <div className="ch-two">
      {!channel && (
        <Field of={addChannel} name="parentId">
          <RefSelect type="CHANNEL" placeholder="不选为一级渠道" disabled={parent !== null} />
        </Field>
      )}
      <Field of={addChannel} name="channelType" extra={parent ? '与上级渠道相同' : undefined}>
        <Select
          disabled={channel !== null || parent !== null}
          onChange={() => form.setFieldsValue({ ownerId: null, ownerName: null })}
          placeholder="请选择"
          options={channelTypes.options.map(({ value, label }) => ({ value, label }))}
        />
      </Field>
      <Field of={addChannel} name="name">
        <Input showCount />
      </Field>
      {type === 'AGENT' && (
        <Field of={addChannel} name="agentId" required>
          <RefSelect type="AGENT" />
        </Field>
      )}
      {known && (
        <Field
          of={addChannel}
          name="ownerId"
          extra={!ownerId && ownerName ? `当前：${ownerName}（仅名称，选择后关联）` : undefined}
          required
        >
          <RefSelect type={known} onName={(name) => form.setFieldValue('ownerName', name)} />
        </Field>
      )}
      <Field
        of={addChannel}
        name="ownerName"
        hidden={known !== null}
        required={known === null && type !== undefined && !ownerless.includes(type)}
        placeholder="医院、药店、药企、保司等名称"
      />
      <Field of={addChannel} name="adcode">
        <RegionPicker />
      </Field>
      <Field of={addChannel} name="startDate">
        <DayInput />
      </Field>
      <Field of={addChannel} name="endDate">
        <DayInput placeholder="不填为长期" />
      </Field>
      <Field of={addChannel} name="costFen">
        <MoneyInput />
      </Field>
      <Field of={addChannel} name="costNote" />
      <Field of={addChannel} name="tags" className="ch-wide">
        <Select mode="tags" maxCount={10} placeholder="输入后按回车，最多10个" open={false} />
      </Field>
      <Field of={addChannel} name="remark" className="ch-wide">
        <Input.TextArea showCount autoSize={{ minRows: 2 }} />
      </Field>
    </div>
  );
  if (channel) {
    return (
      <FormDrawer<typeof modifyChannel, Values>
        {...shared}
        title={`编辑渠道：${channel.name}`}
        call={modifyChannel}
        recordKey={channel.id}
        toInput={(values) => ({ id: channel.id, version: channel.version, ...fieldsOf(channel, values) })}
        success="修改成功!"
        valuesOf={(current) => valuesOf(current as ChannelRow)}
      >
        {fields}
      </FormDrawer>
    );
  }
  return (
    <FormDrawer<typeof addChannel, Values>
      {...shared}
      title={parent ? `新增下级渠道：${parent.name}` : '新增渠道'}
      call={addChannel}
      toInput={(values) => ({
        parentId: parent?.id ?? values.parentId ?? null,
        channelType: values.channelType,
        ...fieldsOf(null, values),
      })}
      success={SERVER_MESSAGE}
    >
      {fields}
    </FormDrawer>
  );
}
