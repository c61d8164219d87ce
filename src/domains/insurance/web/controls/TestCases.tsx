import { Button, Input, Select, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useUnsaved } from '#kernel/web/tabs/page.tsx';
import type { ControlMode } from '../../contract/adjudication/spec.ts';
import { controlModeWords } from '../../contract/controls/dictionaries.ts';
import type { ControlVersion } from '../../contract/controls/rules.ts';
import { queryControlTestCases, saveControlTestCases } from '../../contract/controls/trial.ts';
import { ruleVariable } from '../../contract/rules/variables.ts';
import { storedFact, typedFact, variablesIn } from '../../contract/rules/yuanText.ts';
import { testResults } from '../../contract/tests/dictionaries.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

interface Typed {
  caseName: string;
  facts: Readonly<Record<string, string>>;
  expected: ControlMode | null;
}

const NONE = 'NONE';
const outcomes = [
  { value: NONE, label: '不命中' },
  ...controlModeWords.options.map(({ value, label }) => ({ value: String(value), label })),
];

/** Facts with what the rule must say to them; all run on every save, and once more with the submission. */
export function TestCases({ version, editable }: { version: ControlVersion; editable: boolean }) {
  const { data, error, refetch } = useData(queryControlTestCases, { versionId: version.id }, { quiet: true });
  const [typed, setTyped] = useState<readonly Typed[] | null>(null);
  const save = useCommand(saveControlTestCases, {
    success: '保存成功!',
    refreshes: [queryControlTestCases],
    onSuccess: () => setTyped(null),
  });
  useEffect(() => setTyped(null), [version.id]);
  useUnsaved(typed !== null);
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton active paragraph={{ rows: 2 }} />;
  const stored: readonly Typed[] = data.map(({ caseName, facts, expected }) => ({
    caseName,
    expected,
    facts: Object.fromEntries(Object.entries(facts).map(([code, value]) => [code, typedFact(code, value)])),
  }));
  const cases = typed ?? stored;
  const put = (index: number, patch: Partial<Typed>) => setTyped(cases.map((one, at) => (at === index ? { ...one, ...patch } : one)));
  const codes = variablesIn(version.expression);
  return (
    <section className="control-panel">
      <h3>测试用例</h3>
      {cases.length === 0 && <p className="control-note">还没有测试用例。提交审核时，所有用例须符合期望。</p>}
      {cases.map((one, index) => {
        const last = typed === null ? data[index] : undefined;
        return (
          <fieldset key={index} disabled={!editable} className="control-case">
            <div className="control-line">
              <TextInput
                size="small"
                aria-label="用例名称"
                most={60}
                value={one.caseName}
                onChange={(event) => put(index, { caseName: event.target.value })}
              />
              <Select
                size="small"
                aria-label="期望结果"
                style={{ width: 110 }}
                disabled={!editable}
                value={one.expected ?? NONE}
                options={outcomes}
                onChange={(value) => put(index, { expected: controlModeWords.codes.find((code) => code === value) ?? null })}
              />
              {last && <Dict of={testResults} code={last.lastResult} />}
              {editable && (
                <Button size="small" type="link" danger onClick={() => setTyped(cases.filter((_, at) => at !== index))}>
                  删除
                </Button>
              )}
            </div>
            <div className="control-facts">
              {codes.map((code) => (
                <label key={code} style={{ display: 'contents' }}>
                  <span>{ruleVariable(code)?.name ?? code}</span>
                  <Input
                    size="small"
                    value={one.facts[code] ?? ''}
                    placeholder="不填表示缺少"
                    suffix={ruleVariable(code)?.unit || <span />}
                    onChange={(event) => put(index, { facts: { ...one.facts, [code]: event.target.value } })}
                  />
                </label>
              ))}
            </div>
            {last?.lastResult === 'FAIL' && (
              <p className="kq-fault">实际：{last.actual === null ? '不命中' : controlModeWords.label(last.actual)}</p>
            )}
          </fieldset>
        );
      })}
      {editable && (
        <>
          <Button
            size="small"
            onClick={() => setTyped([...cases, { caseName: `用例${cases.length + 1}`, facts: {}, expected: version.mode }])}
          >
            添加用例
          </Button>{' '}
          <Button
            size="small"
            type="primary"
            disabled={typed === null || save.busy}
            onClick={() =>
              void save.run({
                versionId: version.id,
                version: version.version,
                cases: cases.map(({ caseName, facts, expected }) => ({
                  caseName,
                  expected,
                  facts: Object.fromEntries(codes.map((code) => [code, storedFact(code, facts[code] ?? '')])),
                })),
              })
            }
          >
            保存并运行
          </Button>
        </>
      )}
    </section>
  );
}
