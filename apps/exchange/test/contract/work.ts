import { get } from './client.js';

/** Open work of operators as their dashboard counts it, by name. */
export async function openWork(token: string): Promise<Readonly<Record<string, number>>> {
  const { body } = await get('/api/admin/dashboard', {}, { token });
  const { work, missing } = body.message as { work: Record<string, number>; missing: string[] };
  if (missing.length > 0) throw new Error(`not counted: ${missing.join(', ')}`);
  return work;
}
