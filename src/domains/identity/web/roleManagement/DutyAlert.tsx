import { Alert } from 'antd';
import { dutyPairs, joinedPairs } from '#kernel/contract/duties.ts';
import { dutySentence } from '../../contract/duties.ts';
import type { Permission } from './selection.ts';

/** What the chosen rights join that one person should not hold both. */
export function dutiesOf(catalogue: readonly Permission[], chosen: ReadonlySet<string>): { refused: string[]; warned: string[] } {
  const labels = new Map(catalogue.map(({ code, label }) => [code, label]));
  const joined = joinedPairs(dutyPairs(catalogue), chosen).map((pair) => ({
    money: pair.money,
    text: dutySentence({
      document: pair.document,
      makesLabel: labels.get(pair.makes) ?? pair.makes,
      makesRole: null,
      decidesLabel: labels.get(pair.decides) ?? pair.decides,
      decidesRole: null,
    }),
  }));
  return {
    refused: joined.filter(({ money }) => money).map(({ text }) => text),
    warned: joined.filter(({ money }) => !money).map(({ text }) => text),
  };
}

/** Says while the operator chooses what cannot be saved, and what should not be. */
export function DutyAlert({ refused, warned }: { refused: readonly string[]; warned: readonly string[] }) {
  return (
    <>
      {refused.length > 0 && (
        <Alert
          type="error"
          showIcon
          className="id-duties"
          title={`职责冲突${refused.length}组，不能保存：涉及资金的单据，经办与审核须由两人担任，请去掉其中一项`}
          description={<Sentences of={refused} />}
        />
      )}
      {warned.length > 0 && (
        <Alert
          type="warning"
          showIcon
          className="id-duties"
          title={`职责提醒${warned.length}组：同一单据的经办与审核建议由两人担任`}
          description={<Sentences of={warned} />}
        />
      )}
    </>
  );
}

function Sentences({ of }: { of: readonly string[] }) {
  return (
    <ul>
      {of.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
