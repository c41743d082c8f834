// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Providers read their environment when a device is opened, so the switch must
 * have been set before.
 */
#include "blueflame.h"

#include <stdlib.h>
#include <string.h>

/**
 * blueflame_off() - ask the providers that have it to do without
 *
 * Before the library is loaded.
 */
void blueflame_off(void)
{
	setenv("MLX5_SHUT_UP_BF", "1", 1);
	setenv("MLX4_POST_SEND_PREFER_BF", "0", 1);
}

static const char *mlx5_state(void)
{
	const char *off = getenv("MLX5_SHUT_UP_BF");

	return off && strcmp(off, "0") ? "off" : "provider default";
}

/* The provider of rdma-core has no switch; that of the vendor's releases does. */
static const char *mlx4_state(void)
{
	const char *prefer = getenv("MLX4_POST_SEND_PREFER_BF");

	return prefer && !strcmp(prefer, "0") ? "asked off, only the vendor's provider obeys" :
						"provider default";
}

/**
 * blueflame_state() - what is known about it
 * @driver: driver or provider, "" when not known
 * @user_path: posted by the provider, else by the kernel's driver
 *
 * Return: a text, "" when nothing is known.
 */
const char *blueflame_state(const char *driver, bool user_path)
{
	bool mlx5 = strstr(driver, "mlx5"), mlx4 = strstr(driver, "mlx4");

	if (!*driver)
		return "";
	if (!mlx5 && !mlx4)
		return "not applicable";
	if (!user_path)
		return "not used by kernel drivers";
	return mlx5 ? mlx5_state() : mlx4_state();
}
