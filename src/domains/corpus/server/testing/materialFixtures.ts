import { createCanvas } from '@napi-rs/canvas';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadFile } from '#testing/uploads.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { addMaterial, auditMaterial } from '../../contract/materials/calls.ts';
import { MATERIAL_FILE } from '../../contract/materials/dictionaries.ts';
import type { ReviewAction } from '../../contract/materials/review.ts';
import { fresh } from './fixtures.ts';

type Content = InputOf<typeof addMaterial>['content'];

/** Writes materials. */
export const editor = (app: TestApp): Promise<TestStaff> => app.staff({ permissions: ['corpus.corpus.view', 'corpus.material.edit'] });
/** Judges them. */
export const auditor = (app: TestApp): Promise<TestStaff> => app.staff({ permissions: ['corpus.corpus.view', 'corpus.material.audit'] });

export const words = (text = '{{患者称呼:您}}好，请按时服药'): Content => ({ type: 'TEXT', text });

export const makeMaterial = async (app: TestApp, as: TestStaff, content: Content = words()) =>
  app.ok(addMaterial, { title: fresh('素材'), content }, { as });

interface StoredVersion {
  id: string;
  version: number;
}
export const act = (app: TestApp, as: TestStaff, { id, version }: StoredVersion, action: ReviewAction, opinion?: string) =>
  app.ok(auditMaterial, { id, version, action, ...(opinion && { opinion }) }, { as });

/** A material that was submitted and waits. */
export async function makeSubmitted(app: TestApp, as: TestStaff, content: Content = words()) {
  return act(app, as, await makeMaterial(app, as, content), 'submit');
}

/** A material in use. */
export async function makeEnabled(app: TestApp, content: Content = words()) {
  return act(app, await auditor(app), await makeSubmitted(app, await editor(app), content), 'approve');
}

let drawn = 0;
/** A small picture that no other is like. */
export function uploadPicture(app: TestApp, as: TestStaff): Promise<string> {
  const canvas = createCanvas(32, 32);
  const pen = canvas.getContext('2d');
  drawn += 1;
  pen.fillStyle = `rgb(${drawn % 256}, ${(drawn * 7) % 256}, 120)`;
  pen.fillRect(0, 0, 32, 32);
  return uploadFile(app, as, MATERIAL_FILE, { fileName: `图${drawn}.png`, contentType: 'image/png', bytes: canvas.toBuffer('image/png') });
}
