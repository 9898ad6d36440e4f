package bootdyno.plan

import bootdyno.model.Plan

/** The resolved experiment as YAML: every default and flag written out. Reading it again gives the same plan. */
fun planText(plan: Plan): String = writeYaml(ExperimentKeys.write(plan.experiment))
