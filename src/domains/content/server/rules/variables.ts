import type { Kernel } from '#kernel/server/kernel.ts';
import type { ObjectVariable } from '#kernel/server/objectTypes.ts';
import { query } from '#kernel/server/handler.ts';
import type { ObjectTypeCode } from '../../contract/marks/dictionaries.ts';
import { queryMarkVariableList } from '../../contract/rules/calls.ts';
import { typeOf } from '../marks/objects.ts';

type Registered = Pick<Kernel, 'registry'>;

export const variablesOf = (kernel: Registered, objectType: ObjectTypeCode): readonly ObjectVariable[] =>
  typeOf(kernel, objectType).rules?.variables ?? [];

/** A variable of a kind of thing by its code. */
export const variableFinder = (kernel: Registered, objectType: ObjectTypeCode) => {
  const byCode = new Map(variablesOf(kernel, objectType).map((variable) => [variable.code, variable]));
  return (code: string) => byCode.get(code);
};

export const variableList = (kernel: Kernel) =>
  query(queryMarkVariableList, async ({ objectType }) =>
    variablesOf(kernel, objectType).map(({ refreshOn: _refreshOn, ...variable }) => ({
      ...variable,
      operators: [...variable.operators],
      options: [...variable.options],
    })),
  );
