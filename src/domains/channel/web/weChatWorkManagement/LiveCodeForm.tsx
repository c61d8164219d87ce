import { Button, Checkbox, Form, Input, Select } from 'antd';
import { Field, FieldList } from '#kernel/web/form/Field.tsx';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import {
  addLiveCode,
  memberInput,
  MOST_WELCOME,
  modifyLiveCode,
  previewWelcome,
  queryLiveCodeList,
  saveLiveCodeMembers,
  welcome,
  type LiveCodeRow,
  type Span,
  type Welcome,
} from '../../contract/calls/liveCodes.ts';
import { strategies } from '../../contract/dictionaries.ts';
import { RefSelect, RefsSelect } from '../shared/RefSelect.tsx';
import { AttachmentFields, attachmentOf, attachmentValues, type AttachmentValues } from './AttachmentFields.tsx';
import { CorpSelect } from './CorpSelect.tsx';
import { SpanGrid } from './SpanGrid.tsx';

interface Facts {
  name: string;
  strategy: LiveCodeRow['strategy'];
  skipVerify: boolean;
  text?: string;
  attachments?: AttachmentValues[];
  tagIds?: string[];
  offHoursText?: string;
}
interface Members {
  members: { memberId: string; weight: number; dailyLimit: number; spans?: Span[]; isBackup?: boolean }[];
}

const refreshes = [queryLiveCodeList];
const factsOf = (values: Facts) => ({
  name: values.name,
  strategy: values.strategy,
  skipVerify: values.skipVerify ?? true,
  offHoursText: values.offHoursText ?? '',
  tagIds: values.tagIds ?? [],
  welcome: { text: values.text ?? '', attachments: (values.attachments ?? []).map(attachmentOf) },
});
const membersOf = (values: Members) =>
  (values.members ?? []).map((member) => ({
    memberId: member.memberId,
    weight: member.weight ?? 1,
    dailyLimit: member.dailyLimit ?? 0,
    spans: member.spans ?? [],
    isBackup: member.isBackup ?? false,
  }));

const factLabels = {
  name: '名称',
  strategy: '分配策略',
  skipVerify: '好友验证',
  offHoursText: '非服务时间提示',
  text: '欢迎语',
  attachments: '附件',
  tagIds: '标签',
};
const displayFacts = displayBy({ strategy: strategies });
const factValues = (row: LiveCodeRow): Facts & { channelId: string } => {
  const welcome = row.welcome as Welcome;
  return {
    name: row.name,
    channelId: row.channelId,
    strategy: row.strategy,
    skipVerify: row.skipVerify,
    offHoursText: row.offHoursText,
    text: welcome.text,
    attachments: welcome.attachments.map(attachmentValues),
    tagIds: row.tagIds,
  };
};
const memberValues = (row: LiveCodeRow): Members => ({
  members: row.members.map(({ memberId, weight, dailyLimit, spans, isBackup }) => ({
    memberId,
    weight,
    dailyLimit,
    spans: spans as Span[],
    isBackup,
  })),
});

function WelcomeFields() {
  const form = Form.useFormInstance<Facts & { channelId?: string }>();
  const text = (Form.useWatch('text', form) as string | undefined) ?? '';
  const channelId = Form.useWatch('channelId', form) as string | undefined;
  const { data } = useData(
    previewWelcome,
    { welcome: { text }, channelId: channelId ?? '1' },
    { enabled: channelId !== undefined && channelId !== null && text !== '', quiet: true },
  );
  return (
    <div className="ch-two">
      <div>
        <Field of={welcome} name="text" extra={`${[...text].length} / ${MOST_WELCOME}`}>
          <Input.TextArea autoSize={{ minRows: 5 }} />
        </Field>
        {['{客户昵称}', '{成员姓名}', '{渠道名称}'].map((word) => (
          <Button key={word} size="small" onClick={() => form.setFieldValue('text', text + word)}>
            {word}
          </Button>
        ))}
        <AttachmentFields />
      </div>
      <div className="ch-phone">
        <p>{data?.text || text || '（欢迎语预览）'}</p>
      </div>
    </div>
  );
}

function FactFields({ corpRowId }: { corpRowId?: string }) {
  const editing = corpRowId !== undefined;
  const chosen = Form.useWatch('corpRowId') as string | null | undefined;
  const corp = corpRowId ?? chosen ?? undefined;
  return (
    <div className="ch-two">
      <Field of={addLiveCode} name="name">
        <Input showCount />
      </Field>
      <Field of={addLiveCode} name="channelId">
        <RefSelect type="CHANNEL" disabled={editing} />
      </Field>
      <Field of={addLiveCode} name="strategy">
        <Select placeholder="请选择" options={strategies.options.map(({ value, label }) => ({ value, label }))} />
      </Field>
      <Field of={addLiveCode} name="skipVerify">
        <Checkbox>客户添加时无需确认</Checkbox>
      </Field>
      <Field of={addLiveCode} name="tagIds" extra="客户添加后自动打上的企业标签" className="ch-wide">
        <RefsSelect
          type="TAG"
          max={20}
          corpRowId={corp}
          disabled={corp === undefined}
          placeholder={corp === undefined ? '请先选择企业' : '不选则不打标签'}
        />
      </Field>
      <Field of={addLiveCode} name="offHoursText" className="ch-wide">
        <Input showCount placeholder="没有可接待成员时显示" />
      </Field>
    </div>
  );
}

function MemberFields({ corpRowId }: { corpRowId: string | undefined }) {
  return (
    <FieldList of={addLiveCode} name="members">
      {(entries, { add, remove }, { errors }) => (
        <>
          {entries.map((entry) => (
            <div key={entry.key} className="ch-member">
              <div className="ch-two">
                <Field of={memberInput} name="memberId" within={[entry.name]}>
                  <RefSelect type="MEMBER" corpRowId={corpRowId} />
                </Field>
                <span className="kq-row">
                  <Field of={memberInput} name="weight" within={[entry.name]} />
                  <Field of={memberInput} name="dailyLimit" within={[entry.name]} label="每日上限（0不限）" />
                  <Form.Item label=" " name={[entry.name, 'isBackup']} valuePropName="checked">
                    <Checkbox>备用</Checkbox>
                  </Form.Item>
                  <Button type="link" danger onClick={() => remove(entry.name)}>
                    移除
                  </Button>
                </span>
              </div>
              <Form.Item name={[entry.name, 'spans']} noStyle>
                <SpanGrid />
              </Form.Item>
            </div>
          ))}
          <Button
            type="dashed"
            block
            disabled={entries.length >= 100}
            onClick={() => add({ weight: 1, dailyLimit: 0, spans: [], isBackup: false })}
          >
            添加成员
          </Button>
          <Form.ErrorList errors={errors} />
        </>
      )}
    </FieldList>
  );
}

/** Members of the company that was chosen above. */
const MembersOfCorp = () => <MemberFields corpRowId={Form.useWatch('corpRowId') as string | undefined} />;

/** Drawer 新增活码. */
export function LiveCodeAdd({ onClose }: { onClose(): void }) {
  type Values = Facts & Members & { corpRowId: string; channelId: string };
  return (
    <FormDrawer<typeof addLiveCode, Values>
      open
      title="新增活码"
      width={860}
      call={addLiveCode}
      refreshes={refreshes}
      success={SERVER_MESSAGE}
      onClose={onClose}
      initial={{ strategy: 'ROUND', skipVerify: true, members: [{ memberId: '', weight: 1, dailyLimit: 0, spans: [] }] }}
      toInput={(values) => ({ corpRowId: values.corpRowId, channelId: values.channelId, ...factsOf(values), members: membersOf(values) })}
    >
      <Field of={addLiveCode} name="corpRowId">
        <CorpSelect connectedOnly />
      </Field>
      <FactFields />
      <Section title="成员与时段">
        <MembersOfCorp />
      </Section>
      <Section title="欢迎语">
        <WelcomeFields />
      </Section>
    </FormDrawer>
  );
}

/** Drawer 编辑活码. */
export function LiveCodeEdit({ row, onClose }: { row: LiveCodeRow; onClose(): void }) {
  return (
    <FormDrawer<typeof modifyLiveCode, Facts & { channelId: string }>
      open
      title={`编辑活码：${row.name}`}
      width={860}
      call={modifyLiveCode}
      refreshes={refreshes}
      success="修改成功!"
      recordKey={row.id}
      onClose={onClose}
      labels={factLabels}
      display={displayFacts}
      initial={factValues(row)}
      valuesOf={(current) => factValues(current as LiveCodeRow)}
      toInput={(values) => ({ id: row.id, version: row.version, ...factsOf(values) })}
    >
      <FactFields corpRowId={row.corpRowId} />
      <Section title="欢迎语">
        <WelcomeFields />
      </Section>
    </FormDrawer>
  );
}

/** Drawer 成员与时段. */
export function LiveCodeMembers({ row, onClose }: { row: LiveCodeRow; onClose(): void }) {
  return (
    <FormDrawer<typeof saveLiveCodeMembers, Members>
      open
      title={`成员与时段：${row.name}`}
      width={860}
      call={saveLiveCodeMembers}
      refreshes={refreshes}
      success="保存成功!"
      recordKey={row.id}
      onClose={onClose}
      initial={memberValues(row)}
      toInput={(values) => ({ id: row.id, version: row.version, members: membersOf(values) })}
    >
      <MemberFields corpRowId={row.corpRowId} />
    </FormDrawer>
  );
}
