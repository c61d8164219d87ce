import { globSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPeople } from '#domains/identity/server/demo/people.ts';
import { builtinRoles } from '#domains/identity/server/reference/builtinRoles.ts';
import { dutyPairs, joinedPairs, type DutyPair } from '#kernel/contract/duties.ts';
import type { PermissionDeclaration } from '#kernel/contract/permission.ts';
import type { StateMachine } from '#kernel/contract/stateMachine.ts';
import { designCsv } from './designLists.ts';
import { startTestApp, type TestApp } from './testApp.ts';

const root = path.join(import.meta.dirname, '../..');

/** Rights whose label reads like a decision and that decide about nothing that another made, each with its reason. */
const NO_DECISION: Readonly<Record<string, string>> = {
  'identity.notice.publish': 'who writes an announcement publishes it',
  'policy.premium.supervise': 'hands the check of an order to another person',
};

/** Rights that move the documents of a machine beside those of decision without making them, each with its reason. */
const NO_WORK: Readonly<Record<string, string>> = {
  'card.card.activate': 'a card that is out is activated for its holder',
  'card.card.freeze': 'stops a card at once',
  'card.secret.reset': 'gives the holder a new secret',
  'channel.vip.state': 'pauses or ends what was approved',
  'corpus.engine.resume': 'lets messages go out again',
  'corpus.engine.stop': 'stops messages at once',
  'enrolment.apply.insurer': 'writes down what the insurer concluded',
  'enrolment.apply.supervise': 'hands a case to another person, hears an appeal, takes back what was passed',
  'institution.store.state': 'stops or closes a store',
  'insurance.control.pause': 'stops a rule at once',
  'lowcode.page.remove': 'takes a page away',
  'policy.premium.supervise': 'hands the check of an order to another person',
  'settlement.bill.hold': 'stops a bill and lets it go on',
};

/** Words of a right to decide about another person's work. */
const DECIDES = /审核|复核|审批|批准|核对|初审|复审|核验、|发布/;
const LOOKS = /^(查看|导出|使用)/;

let app: TestApp;
let permissions: readonly PermissionDeclaration[];
let pairs: readonly DutyPair[];
beforeAll(async () => {
  app = await startTestApp();
  permissions = app.kernel.registry.permissions.filter(({ machine }) => !machine);
  pairs = dutyPairs(permissions);
});
afterAll(() => app.close());

const isMachine = (value: unknown): value is StateMachine =>
  typeof value === 'object' && value !== null && 'transitions' in value && 'canStart' in value;

async function machines(): Promise<StateMachine[]> {
  const files = globSync('src/domains/*/contract/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const found = new Set<StateMachine>();
  for (const file of files) {
    const exported: Record<string, unknown> = await import(path.join(root, file));
    for (const value of Object.values(exported)) if (isMachine(value)) found.add(value);
  }
  return [...found];
}

const rightsOf = (role: string): ReadonlySet<string> =>
  new Set(permissions.filter(({ defaultRoles }) => defaultRoles.includes(role)).map(({ code }) => code));
const named = (joined: readonly DutyPair[]) => joined.map(({ makes, decides }) => `${makes} + ${decides}`);

describe('conflicts of duties', () => {
  it('stand in the design’s list, between rights that there are', () => {
    const codes = new Set(permissions.map(({ code }) => code));
    const declared = permissions.flatMap(({ code, domain, decides }) =>
      decides
        ? [
            {
              decides: code,
              document: decides.document,
              money: decides.money ? 'yes' : 'no',
              makes: decides.of.map((made) => `${domain}.${made}`).join('|'),
            },
          ]
        : [],
    );
    expect(declared.length).toBeGreaterThan(40);
    expect(pairs.filter(({ makes }) => !codes.has(makes))).toEqual([]);
    expect(declared.toSorted((a, b) => (a.decides < b.decides ? -1 : 1))).toEqual(designCsv('duties.csv'));
  });

  it('are declared by every right that reads like a decision, or it is named with its reason', () => {
    const undeclared = permissions.filter(({ label, decides }) => DECIDES.test(label) && !LOOKS.test(label) && decides === null);
    expect(undeclared.map(({ code }) => code).toSorted()).toEqual(Object.keys(NO_DECISION).toSorted());
  });

  it('pair every right that moves a document with every right that decides about it', async () => {
    const declared = new Set(pairs.flatMap(({ makes, decides }) => [`${makes} ${decides}`, `${decides} ${makes}`]));
    const deciders = new Set(pairs.map(({ decides }) => decides));
    const all = await machines();
    expect(all.length).toBeGreaterThan(80);
    const missing = new Set(
      all.flatMap(({ transitions }) => {
        const rights = [...new Set(Object.values(transitions).map(({ permission }) => permission))].filter((code) => code.includes('.'));
        return (
          rights
            .filter((right) => deciders.has(right))
            // Two who may decide alike are no pair, unless one judges what the other did.
            .flatMap((decides) => rights.filter((right) => !deciders.has(right) && !declared.has(`${right} ${decides}`)))
        );
      }),
    );
    expect([...missing].toSorted()).toEqual(Object.keys(NO_WORK).toSorted());
  });

  it('are refused, not warned of, wherever administrators may not decide', () => {
    const without = new Set(permissions.filter(({ defaultRoles }) => !defaultRoles.includes('SUPER_ADMIN')).map(({ code }) => code));
    expect(named(pairs.filter(({ decides, money }) => without.has(decides) && !money))).toEqual([]);
    expect(pairs.filter(({ makes, money }) => /^(card|ledger)\./.test(makes) && !money)).toEqual([]);
  });

  it('are joined by no built-in role but the super administrator', () => {
    for (const { code } of builtinRoles.filter((role) => role.code !== 'SUPER_ADMIN'))
      expect(named(joinedPairs(pairs, rightsOf(code))), code).toEqual([]);
    // What its holders do alone is refused by the documents themselves: who made one does not decide about it.
    expect(named(joinedPairs(pairs, rightsOf('SUPER_ADMIN')).filter(({ money }) => money))).toEqual([
      'card.batch.edit + card.batch.approve',
      'card.batch.export + card.batch.approve',
      'card.batch.edit + card.batch.approve2',
      'card.batch.export + card.batch.approve2',
      'card.batch.approve + card.batch.approve2',
      'order.manual.edit + order.manual.review',
      'order.manual.edit + order.manual.reviewHigh',
      'doctor.opening.edit + doctor.opening.audit',
    ]);
  });

  it('are joined by nobody of the demonstration', () => {
    for (const { userName, roles } of demoPeople.filter((person) => !person.roles.some(({ code }) => code === 'SUPER_ADMIN'))) {
      const held = new Set(roles.flatMap(({ code }) => [...rightsOf(code)]));
      expect(named(joinedPairs(pairs, held)), userName).toEqual([]);
    }
  });
});
