import { todayHere } from '#kernel/web/form/today.ts';
import { Alert, Button, Form, type FormInstance } from 'antd';
import { lazy, Suspense, useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { asDraft, completeGroup } from '#kernel/contract/rules/groups.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { StateActions } from '#kernel/web/detail/StateActions.tsx';
import { useFormCommand } from '#kernel/web/form/useFormCommand.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress, usePage, usePageTitle, useUnsaved } from '#kernel/web/tabs/page.tsx';
import { ruleSentence } from '../../contract/controls/content.ts';
import { controlStageWords } from '../../contract/controls/dictionaries.ts';
import { queryControlModuleList, type ControlModuleRow } from '../../contract/controls/modules.ts';
import {
  addControlRule,
  addControlRuleVersion,
  auditControlRule,
  modifyControlRule,
  queryControlRuleDetail,
  queryControlRuleList,
  type ControlAction,
  type ControlVersion,
} from '../../contract/controls/rules.ts';
import { controlRuleVersionStates, documentPhases } from '../../contract/documents/states.ts';
import { variableAt, type ControlStage } from '../../contract/rules/variables.ts';
import { isComplete } from '#kernel/contract/rules/typed.ts';
import { controlPermissions as permissions, replayPermissions } from '../../contract/permissions.ts';
import { blankValues, capOf, contentInput, valuesOf, type RuleValues } from './ruleValues.ts';
import './controls.css';

const ReplayPanel = lazy(async () => ({ default: (await import('../replays/ReplayPanel.tsx')).ReplayPanel }));
const DryRun = lazy(async () => ({ default: (await import('./DryRun.tsx')).DryRun }));
const RuleFields = lazy(async () => ({ default: (await import('./RuleFields.tsx')).RuleFields }));
const TestCases = lazy(async () => ({ default: (await import('./TestCases.tsx')).TestCases }));
const Monitor = lazy(async () => ({ default: (await import('./Versions.tsx')).Monitor }));
const Versions = lazy(async () => ({ default: (await import('./Versions.tsx')).Versions }));
const EndVersion = lazy(async () => ({ default: (await import('../shared/VersionDialogs.tsx')).EndVersion }));

const address = { moduleId: param.optional(), ruleId: param.optional(), versionId: param.optional() };

/** What is typed now; undefined before the fields are there. */
function useTyped(form: FormInstance<RuleValues>): RuleValues | undefined {
  const typed = Form.useWatch<RuleValues | undefined>((all: RuleValues) => all, form);
  return typed?.expression ? typed : undefined;
}

/** What the form says now, in words. */
function Sentence({ values, stage }: { values: RuleValues | undefined; stage: ControlStage }) {
  const expression = values && asDraft(values.expression);
  const whole = expression && isComplete(expression, variableAt(stage)) ? z.safeParse(completeGroup, expression).data : undefined;
  return (
    <section className="control-panel">
      <h3>规则预览</h3>
      <p className="control-sentence">
        {values && whole
          ? ruleSentence({ expression: whole, mode: values.mode, cap: capOf(values) })
          : '条件填写完整后，这里显示整条规则。'}
      </p>
    </section>
  );
}

function NewRule({ module }: { module: ControlModuleRow }) {
  const [form] = Form.useForm<RuleValues>();
  const page = usePage();
  const [touched, setTouched] = useState(false);
  const [strict, setStrict] = useState(false);
  useUnsaved(touched);
  usePageTitle('新增控费规则');
  const values = useTyped(form);
  const command = useFormCommand<typeof addControlRule, RuleValues>({
    call: addControlRule,
    form,
    toInput: (given) => ({ moduleId: module.id, ruleCode: given.ruleCode ?? '', ...contentInput(given) }),
    success: '新增成功!',
    refreshes: [queryControlRuleList, queryControlModuleList],
    onDone: ({ data }) => page.finish('/controlRules', { moduleId: module.id, ruleId: data.ruleId, versionId: data.versionId }),
  });
  const save = () => {
    setStrict(true);
    form.submit();
  };
  useKeys([{ keys: 'Ctrl+S', label: '保存草稿', inFields: true, act: save }]);
  return (
    <div className="control-form">
      <div className="control-panel">
        <header className="control-line">
          <h3>
            新增规则 · {module.moduleName}（{controlStageWords.label(module.stage)}）
          </h3>
          <div className="control-bar">
            <Button type="primary" loading={command.flying} disabled={command.busy} onClick={save}>
              保存草稿
            </Button>
          </div>
        </header>
        {command.alert && <Alert type="error" showIcon title={command.alert} className="kq-form-alert" />}
        <Form<RuleValues>
          form={form}
          layout="vertical"
          initialValues={blankValues(plusDays(todayHere(), 1))}
          onValuesChange={() => setTouched(true)}
          onFinish={() => void command.submit(form.getFieldsValue(true) as RuleValues)}
        >
          <Suspense fallback={null}>
            <RuleFields form={form} stage={module.stage} isNew strict={strict} disabled={false} />
          </Suspense>
        </Form>
      </div>
      <div>
        <Sentence values={values} stage={module.stage} />
        <Suspense fallback={null}>
          {values && (
            <DryRun moduleId={module.id} draft={{ mode: values.mode, expression: asDraft(values.expression), cap: capOf(values) }} />
          )}
        </Suspense>
      </div>
    </div>
  );
}

interface VersionPageProps {
  rule: NonNullable<ReturnType<typeof useData<typeof queryControlRuleDetail>>['data']>;
  version: ControlVersion;
  onShow(versionId: string): void;
}

function VersionPage({ rule, version, onShow }: VersionPageProps) {
  const [form] = Form.useForm<RuleValues>();
  const layers = useLayers();
  const may = useMay();
  const editable = version.allowedActions.includes('modify');
  const [touched, setTouched] = useState(false);
  const [strict, setStrict] = useState(false);
  useUnsaved(touched);
  usePageTitle(`${version.ruleName} V${version.versionNo}`);
  useEffect(() => {
    if (!touched) form.setFieldsValue(valuesOf(version));
  }, [form, version, touched]);
  const refreshes = [queryControlRuleDetail, queryControlRuleList, queryControlModuleList];
  const values = useTyped(form);
  const command = useFormCommand<typeof modifyControlRule, RuleValues>({
    call: modifyControlRule,
    form,
    toInput: (given) => ({ versionId: version.id, version: version.version, ...contentInput(given) }),
    labels: {
      ruleName: '规则名称',
      mode: '控费方式',
      applicantText: '对客说明',
      internalNote: '内部备注',
      effectiveFrom: '生效日',
      effectiveTo: '失效日',
    },
    success: '保存成功!',
    refreshes,
    onDone: () => setTouched(false),
  });
  const audit = useCommand(auditControlRule, { success: '操作成功!', refreshes });
  const addVersion = useCommand(addControlRuleVersion, { refreshes, onSuccess: ({ data }) => onShow(data.versionId) });
  const save = () => {
    setStrict(true);
    form.submit();
  };
  const step = (action: ControlAction, opinion: string, effectiveTo?: string) =>
    audit.run({ id: version.id, version: version.version, action, opinion, ...(effectiveTo !== undefined && { effectiveTo }) });
  const facts = [
    { label: '规则', value: `${rule.ruleCode} ${version.ruleName}` },
    { label: '版本', value: `V${version.versionNo}` },
    { label: '生效日', value: version.effectiveFrom },
    { label: '失效日', value: version.effectiveTo ?? '长期' },
  ];
  const handIn = async () => {
    const opinion = await confirmWithOpinion({ title: '提交审核', content: '请填写变更说明', facts, label: '变更说明' });
    if (opinion !== null) await step('submit', opinion);
  };
  useKeys([
    { keys: 'Ctrl+S', label: '保存草稿', inFields: true, act: () => editable && save() },
    { keys: 'Ctrl+Enter', label: '提交审核', inFields: true, act: () => editable && !touched && void handIn() },
  ]);
  return (
    <div className="control-form">
      <div className="control-panel">
        <header className="control-line">
          <h3>
            {rule.ruleCode} V{version.versionNo} <Dict of={documentPhases} code={version.phase} />
          </h3>
          <div className="control-bar">
            {editable && (
              <Button loading={command.flying} disabled={command.busy || !touched} onClick={save}>
                保存草稿
              </Button>
            )}
            {!touched && (
              <StateActions
                machine={controlRuleVersionStates}
                state={version.state}
                facts={facts}
                without={['modify', 'endVersion', 'submit']}
                onAction={(action, opinion) => {
                  if (action === 'newVersion') return addVersion.run({ ruleId: rule.id });
                  return action === 'modify' ? undefined : step(action, opinion);
                }}
              />
            )}
            {version.allowedActions.includes('submit') && (
              <Button
                type="primary"
                disabled={touched || audit.busy}
                title={touched ? '请先保存草稿' : undefined}
                onClick={() => void handIn()}
              >
                提交审核
              </Button>
            )}
            {version.allowedActions.includes('endVersion') && (
              <Button
                danger
                onClick={() =>
                  layers.open((close) => <EndVersion call={auditControlRule} version={version} refreshes={refreshes} onClose={close} />)
                }
              >
                设置失效日
              </Button>
            )}
          </div>
        </header>
        <p className="control-note">
          {rule.moduleName}（{controlStageWords.label(rule.stage)}）{rule.observeOnly && '，模块整体仅监控'}
          {!rule.enabled && '，模块已停用'}
          {version.pausedFrom !== null && `，自 ${version.pausedFrom} 停用`}
        </p>
        {command.alert && <Alert type="error" showIcon title={command.alert} className="kq-form-alert" />}
        <Form<RuleValues>
          form={form}
          layout="vertical"
          disabled={!editable}
          initialValues={valuesOf(version)}
          onValuesChange={() => setTouched(true)}
          onFinish={() => void command.submit(form.getFieldsValue(true) as RuleValues)}
        >
          <Suspense fallback={null}>
            <RuleFields form={form} stage={rule.stage} isNew={false} strict={strict} disabled={!editable} />
          </Suspense>
        </Form>
      </div>
      <div>
        <Sentence values={values} stage={rule.stage} />
        <Suspense fallback={null}>
          {values && (
            <DryRun moduleId={rule.moduleId} draft={{ mode: values.mode, expression: asDraft(values.expression), cap: capOf(values) }} />
          )}
          <Monitor days={rule.days} />
          <TestCases version={version} editable={editable && !touched} />
          {may(replayPermissions['replay.run']) && (rule.stage === 'CLAIM' || rule.stage === 'DIRECT') && (
            <ReplayPanel ownerType="CONTROL_RULE_VERSION" ownerId={version.id} />
          )}
          <Versions versions={rule.versions} shown={version} onShow={onShow} />
        </Suspense>
      </div>
      {layers.shown}
    </div>
  );
}

/** /controlRules 控费规则: one version of a rule, or a new one. */
export default function ControlRules() {
  const [{ moduleId, ruleId, versionId }, setParams] = useAddress(address);
  const may = useMay();
  const modules = useData(queryControlModuleList, {}, { quiet: true, enabled: ruleId === undefined });
  const detail = useData(queryControlRuleDetail, { ruleId: ruleId ?? '1' }, { quiet: true, enabled: ruleId !== undefined });
  if (ruleId === undefined) {
    const module = modules.data?.find(({ id }) => id === moduleId) ?? modules.data?.[0];
    if (!may(permissions['control.edit']))
      return (
        <div className="kq-empty">
          <p>
            没有新增控费规则的权限，请在<PageLink to="/controlModule">控费管理</PageLink>中选择规则查看
          </p>
        </div>
      );
    if (!modules.data) return <Waiting for={modules} />;
    return module ? (
      <NewRule key={module.id} module={module} />
    ) : (
      <Alert type="info" showIcon title="还没有控费模块，请先在控费管理中新增模块" />
    );
  }
  const version = detail.data?.versions.find(({ id }) => id === versionId) ?? detail.data?.versions[0];
  if (!detail.data || !version) return <Waiting for={detail} />;
  return <VersionPage key={version.id} rule={detail.data} version={version} onShow={(id) => setParams({ versionId: id })} />;
}
