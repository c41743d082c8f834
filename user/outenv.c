// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "outenv.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include "cost.h"
#include "out.h"
#include "sysfs.h"
#include "sysread.h"

#define CPU "/sys/devices/system/cpu"

/* X(key, file): one line each, null where the kernel has no such file */
static const struct {
	const char *key;
	const char *file;
} files[] = {
	{ "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ "governor", CPU "/cpu0/cpufreq/scaling_governor" },
	{ "smt", CPU "/smt/control" },
	{ "spectre_v2", CPU "/vulnerabilities/spectre_v2" },
};

/* "none (voluntary) full": the one in parentheses; else what uname tells. */
static void preemption(const struct utsname *u, char *to, size_t size)
{
	static const char *const words[] = { "PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT" };
	char line[80], *open;
	size_t i;

	to[0] = '\0';
	if (sysread_line(line, sizeof(line), "", "/sys/kernel/debug/sched/preempt") > 0) {
		open = strchr(line, '(');
		if (open)
			snprintf(to, size, "%.*s", (int)strcspn(open + 1, ")"), open + 1);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(words) && !*to; i++)
		if (strstr(u->version, words[i]))
			snprintf(to, size, "%s", words[i]);
}

static json_t *mitigations(void)
{
	struct list names = LIST(struct sysname);
	json_t *object = json_object();
	char line[256];

	sysread_dir(&names, "", CPU "/vulnerabilities");
	list_each(struct sysname, n, &names) {
		if (sysread_line(line, sizeof(line), "", CPU "/vulnerabilities/%s", n->name) > 0 &&
		    strcmp(line, "Not affected"))
			out_text(object, n->name, line);
	}
	list_free(&names);
	return object;
}

/* The first "key : value" line of /proc/cpuinfo with this key. */
static bool read_cpuinfo(const char *key, char *to, size_t size)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[4096];
	bool found = false;

	to[0] = '\0';
	while (f && !found && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');

		if (!colon || strncmp(line, key, strlen(key)))
			continue;
		snprintf(to, size, "%.*s", (int)strcspn(colon + 1, "\n") - 1, colon + 2);
		found = true;
	}
	if (f)
		fclose(f);
	return found;
}

static json_t *virtualised(void)
{
	char flags[4096];

	if (!read_cpuinfo("flags", flags, sizeof(flags)))
		return json_null();
	return json_boolean(!!strstr(flags, " hypervisor"));
}

static void add_device(json_t *env, const struct plan *p, const char *provider)
{
	struct rscope_device d;

	rscope_record_clear(rscope_device_fields, ARRAY_SIZE(rscope_device_fields), &d);
	snprintf(d.ifname, sizeof(d.ifname), "%s", p->link.ifname);
	sysfs_fill_device(p->root, &d);
	out_text(env, "driver", *p->link.driver ? p->link.driver : d.driver);
	out_text(env, "provider", provider);
	out_text(env, "firmware", d.fw);
}

/**
 * outenv_json() - the surroundings of a measurement
 * @p: plan
 * @provider: provider library of the user path, "" when not known
 *
 * Return: a new object; what cannot be read is null.
 */
json_t *outenv_json(const struct plan *p, const char *provider)
{
	json_t *env = json_object();
	struct utsname u = { 0 };
	const char *clock;
	char text[256];
	u64 clock_ns;
	size_t i;

	uname(&u);
	out_text(env, "kernel", u.release);
	out_text(env, "machine", u.machine);
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		sysread_line(text, sizeof(text), "", "%s", files[i].file);
		out_text(env, files[i].key, text);
	}
	clock_ns = cost_clock_ns();
	out_num(env, "clock_ns", clock_ns);
	clock = json_string_value(json_object_get(env, "clocksource"));
	out_clock_warning(env, clock ? clock : "", clock_ns);
	preemption(&u, text, sizeof(text));
	out_text(env, "preemption", text);
	read_cpuinfo("model name", text, sizeof(text));
	out_text(env, "cpu_model", text);
	json_object_set_new(env, "virtualised", virtualised());
	add_device(env, p, provider);
	json_object_set_new(env, "mitigations", mitigations());
	return env;
}
