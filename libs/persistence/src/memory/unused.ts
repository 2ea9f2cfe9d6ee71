/** Replaces a statement that no simulated use case runs: its call is a defect of the simulator. */
export const rejectUnused = (): Promise<never> =>
  Promise.reject(new Error('the simulator does not run this statement'));
