import { Form, Select, Switch } from 'antd';
import type { Call, InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import {
  addQueryView,
  modifyQueryView,
  queryViewList,
  queryViewRecipientOptions,
  shareQueryView,
  type ViewRow,
} from '../../contract/calls/query.ts';
import { LAST_SCHEDULE_DAY, MOST_RECIPIENTS } from '../../contract/query.ts';
import type { Asked } from './question.ts';

const refreshes: readonly Call[] = [queryViewList];
const labels = { viewName: '视图名称', scope: '共享范围', config: '查询配置', schedule: '定时导出' };

/** 另存为视图. */
export function SaveAs({ asked, onSaved, onClose }: { asked: Asked; onSaved(view: ViewRow): void; onClose(): void }) {
  return (
    <FormDialog<typeof addQueryView, Pick<InputOf<typeof addQueryView>, 'viewName'>>
      open
      title="另存为视图"
      width={420}
      call={addQueryView}
      toInput={({ viewName }) => ({ ...asked, viewName })}
      labels={labels}
      refreshes={refreshes}
      success="新增成功!"
      onDone={({ data }) => onSaved(data)}
      onClose={onClose}
    >
      <Field of={addQueryView} name="viewName" placeholder="如 月度承保清单" />
    </FormDialog>
  );
}

interface FormProps {
  view: ViewRow;
  onClose(): void;
}

/** 重命名: what the view asks stays as it was saved. */
export function Rename({ view: { id, version, viewName }, onClose }: FormProps) {
  return (
    <FormDialog<typeof modifyQueryView, Pick<InputOf<typeof modifyQueryView>, 'viewName'>>
      open
      title={`重命名 ${viewName}`}
      width={420}
      call={modifyQueryView}
      recordKey={id}
      initial={{ viewName }}
      toInput={(values) => ({ id, version, viewName: values.viewName })}
      labels={labels}
      refreshes={refreshes}
      success="修改成功!"
      onClose={onClose}
    >
      <Field of={modifyQueryView} name="viewName" />
    </FormDialog>
  );
}

/** 分享: who uses a view sees by it what he may see himself. */
export function Share({ view: { id, version, viewName, scope }, onClose }: FormProps) {
  return (
    <FormDialog<typeof shareQueryView, Pick<InputOf<typeof shareQueryView>, 'scope'>>
      open
      title={`分享 ${viewName}`}
      width={420}
      call={shareQueryView}
      recordKey={id}
      initial={{ scope }}
      toInput={(values) => ({ id, version, scope: values.scope })}
      labels={labels}
      refreshes={refreshes}
      success={SERVER_MESSAGE}
      onClose={onClose}
    >
      <Field of={shareQueryView} name="scope" extra="分享的是列与条件；每个人只看到自己数据范围内的行" />
    </FormDialog>
  );
}

interface ScheduleValues {
  on: boolean;
  dayOfMonth: number;
  recipients: string[];
}

/** 定时: every month into the download centres of its owner and of whom he names. */
export function Schedule({ view: { id, version, viewName, schedule }, onClose }: FormProps) {
  const { data } = useData(queryViewRecipientOptions, { id }, { quiet: true });
  const [form] = Form.useForm<ScheduleValues>();
  const on = Form.useWatch('on', form) ?? schedule !== null;
  return (
    <FormDialog<typeof modifyQueryView, ScheduleValues>
      open
      title={`定时导出 ${viewName}`}
      width={460}
      form={form}
      call={modifyQueryView}
      recordKey={id}
      initial={{ on: schedule !== null, dayOfMonth: schedule?.dayOfMonth ?? 1, recipients: schedule?.recipients ?? [] }}
      toInput={({ on: wanted, dayOfMonth, recipients }) => ({
        id,
        version,
        viewName,
        schedule: wanted ? { dayOfMonth, recipients } : null,
      })}
      labels={labels}
      refreshes={refreshes}
      success="修改成功!"
      onClose={onClose}
    >
      <Form.Item name="on" label="每月导出到下载中心" valuePropName="checked">
        <Switch />
      </Form.Item>
      <Form.Item name="dayOfMonth" label="每月几日" hidden={!on} extra="当日清晨生成，敏感列脱敏">
        <Select options={Array.from({ length: LAST_SCHEDULE_DAY }, (_one, at) => ({ value: at + 1, label: `${at + 1}日` }))} showSearch />
      </Form.Item>
      <Form.Item name="recipients" label="同时发给" hidden={!on} extra="每个人只收到自己数据范围内的行">
        <Select
          mode="multiple"
          placeholder="只发给自己"
          loading={!data}
          labelRender={({ label }) => label ?? '加载中'}
          maxCount={MOST_RECIPIENTS}
          optionFilterProp="label"
          options={(data ?? []).map(({ userId, displayName, roleName, able }) => ({
            value: userId,
            label: `${displayName}（${able ? roleName : '已无导出权限'}）`,
          }))}
        />
      </Form.Item>
    </FormDialog>
  );
}
